// Balances in other currencies at the closing rates of a date, and their differences.

import { get } from './api.js';
import { amountText, h, tableOf } from './elements.js';
import { accountLink, coverageOf, csvButton, dateChoice, figure, text, wide } from './parts.js';

const path = 'reports/revaluation';

export const revaluation = async (tenant, asOf) => {
  const query = { domain_url: tenant, as_of: asOf };
  const report = await get(path, query);
  const { as_of: date, currency, rows, totals } = report;
  return [
    h('h2', { tabindex: '-1' }, 'Revaluation'),
    dateChoice('#/revaluation', date),
    coverageOf(report),
    rows.length === 0
      ? h('p', {}, 'No monetary account has a balance in another currency.')
      : tableOf({
          caption: `Balances in other currencies as of ${date}, in ${currency}`,
          columns: [
            text('Account', ({ account }) => (account ? accountLink(account, date) : 'Total')),
            text('Name', ({ account_name }) => account_name),
            text('Currency', (row) => row.currency),
            figure('Balance', ({ balance }) => amountText(balance)),
            wide(figure('Rate', ({ exchange_rate }) => exchange_rate)),
            figure('Booked', ({ book_balance }) => amountText(book_balance)),
            figure('At the closing rate', ({ closing_balance }) => amountText(closing_balance)),
            figure('Difference', ({ difference }) => amountText(difference)),
            text('Kind', ({ kind }) => kind),
          ],
          rows,
          footer: totals,
        }),
    csvButton(path, { ...query, as_of: date }),
  ];
};
