// The trial balance of a tenant as of a date.

import { get } from './api.js';
import { amountText, factsOf, h, tableOf } from './elements.js';
import {
  accountLink,
  coverageOf,
  csvButton,
  dateChoice,
  equalityOf,
  figure,
  text,
  today,
  wide,
} from './parts.js';

const path = 'reports/trial_balance';

export const trialBalance = async (tenant, asOf = today()) => {
  const query = { domain_url: tenant, as_of: asOf };
  const report = await get(path, query);
  const { closing } = report.totals;
  return [
    h('h2', { tabindex: '-1' }, 'Trial balance'),
    dateChoice('#/trial-balance', asOf),
    coverageOf(report),
    report.rows.length === 0 && h('p', {}, 'Nothing was posted up to this day.'),
    tableOf({
      caption: `Trial balance as of ${asOf}, in ${report.currency}`,
      columns: [
        text('Account', ({ account }) => (account ? accountLink(account, asOf) : 'Total')),
        text('Name', ({ account_name }) => account_name),
        wide(text('Type', ({ account_type }) => account_type)),
        wide(figure('Debits', ({ movement }) => amountText(movement.debit))),
        wide(figure('Credits', ({ movement }) => amountText(movement.credit))),
        figure('Debit balance', ({ closing }) => amountText(closing.debit)),
        figure('Credit balance', ({ closing }) => amountText(closing.credit)),
      ],
      rows: report.rows,
      footer: report.totals,
    }),
    csvButton(path, query),
    factsOf([
      ['Check', equalityOf(['Debits', closing.debit], ['credits', closing.credit])],
      ['Digest', report.digest],
    ]),
  ];
};
