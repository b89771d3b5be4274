// The check of a connected company: its balances at the platform and here.

import { get } from './api.js';
import { factsOf, h, tableOf } from './elements.js';
import { accountLink, dateChoice, figure, text } from './parts.js';

/** Accounts that differ come first. */
const differingFirst = (accounts) =>
  accounts.toSorted(
    (one, other) => Number(other.difference !== '0.00') - Number(one.difference !== '0.00'),
  );

const resultOf = ({ agrees, reason }) =>
  agrees ? 'The balances equal the platform’s.' : `The balances do not agree: ${reason}.`;

export const balanceCheck = async (tenant, asOf) => {
  const check = await get('tenants/balances', { domain_url: tenant, as_of: asOf });
  return [
    h('h2', { tabindex: '-1' }, 'Platform check'),
    check.as_of && dateChoice('#/platform-check', check.as_of),
    h('p', {}, h('strong', {}, resultOf(check))),
    check.as_of &&
      tableOf({
        caption: `Balances at the end of ${check.as_of}, in ${check.currency}`,
        columns: [
          text('Account', ({ account }) => (account ? accountLink(account, check.as_of) : '')),
          text('Name', ({ account_name }) => account_name),
          figure('Platform', ({ platform }) => platform),
          figure('Here', ({ ours }) => ours),
          figure('Posted here', ({ posted_here }) => posted_here),
          figure('Difference', ({ difference }) => difference),
        ],
        rows: differingFirst(check.accounts),
      }),
    factsOf([
      ['Read at', check.checked_at ?? 'never'],
      ['Days that can be checked', check.days.map(({ date }) => date).join(', ')],
    ]),
  ];
};
