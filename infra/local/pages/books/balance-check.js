// The check of a connected company: its balances at the platform and here.

import { get } from './api.js';
import { amountText, factsOf, h, tableOf, wholeAmount } from './elements.js';
import { accountLink, dateChoice, figure, text } from './parts.js';

const view = '#/platform-check';

const differs = ({ difference }) => /[1-9]/.test(difference);

/** Accounts that differ come first. */
const differingFirst = (accounts) => [
  ...accounts.filter(differs),
  ...accounts.filter((account) => !differs(account)),
];

const difference = (row) => {
  const amount = amountText(row.difference);
  return amount && h('strong', { class: 'failed' }, amount);
};

const wordsOf = (reason) => reason.replaceAll('_', ' ');

const resultOf = ({ agrees, reason }) =>
  agrees ? 'The balances equal the platform’s.' : `The balances do not agree: ${wordsOf(reason)}.`;

/** Links to the checks of days, with the reasons of those that do not agree. */
const linksTo = (days) =>
  days.map(({ date, reason }, place) => [
    place > 0 && ', ',
    h('a', { href: `${view}/${date}` }, date),
    reason !== null && ` (${wordsOf(reason)})`,
  ]);

export const balanceCheck = async (tenant, asOf) => {
  const check = await get('tenants/balances', { domain_url: tenant, as_of: asOf });
  const differing = check.days.filter(({ reason }) => reason !== null);
  return [
    h('h2', { tabindex: '-1' }, 'Platform check'),
    check.as_of && dateChoice(view, check.as_of),
    h('p', {}, h('strong', {}, resultOf(check))),
    check.as_of &&
      tableOf({
        caption: `Balances at the end of ${check.as_of}, in ${check.currency}`,
        columns: [
          text('Account', ({ account }) => (account ? accountLink(account, check.as_of) : '')),
          text('Name', ({ account_name }) => account_name),
          figure('Platform', ({ platform }) => wholeAmount(platform)),
          figure('Here', ({ ours }) => wholeAmount(ours)),
          figure('Posted here', ({ posted_here }) => amountText(posted_here)),
          figure('Difference', difference),
        ],
        rows: differingFirst(check.accounts),
      }),
    factsOf([
      ['Read at', check.checked_at ?? 'never'],
      ['Days that do not agree', differing.length > 0 ? linksTo(differing) : null],
      ['Days that can be checked', linksTo(check.days.map(({ date }) => ({ date, reason: null })))],
    ]),
  ];
};
