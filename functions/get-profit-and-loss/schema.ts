// What get-profit-and-loss accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { fromNotAfterTo } from '#shared/field-relations.ts';
import { booksFields, periodView, signedAmount } from '#shared/reports/report.view.ts';
import { exampleAmounts, exampleBooks } from '#shared/reports/report-example.view.ts';
import {
  periodStatementFields,
  sectionOf,
  statementFields,
} from '#shared/reports/statement.view.ts';
import { figureRow, sectionRows, statementCsv } from '#shared/reports/statement-csv.view.ts';
import { TenantSummary } from '#shared/tenants/tenant.view.ts';

export const Request = z.strictObject(periodStatementFields).check(fromNotAfterTo);

const figures = {
  ...periodView,
  revenue: sectionOf('Subtype `operating_revenue`; a credit is positive.'),
  cost_of_sales: sectionOf('Subtype `cost_of_sales`; a debit is positive.'),
  gross_profit: signedAmount('`revenue` less `cost_of_sales`.'),
  operating_expenses: sectionOf('Subtype `operating_expense`; a debit is positive.'),
  other_income: sectionOf('Subtype `other_income`; a credit is positive.'),
  other_expenses: sectionOf('Subtype `other_expense`; a debit is positive.'),
  exchange_differences: sectionOf('Subtype `exchange_difference`; a gain is positive.'),
  disposal_results: sectionOf('Subtype `disposal_result`; a gain is positive.'),
  operating_profit: signedAmount(
    '`gross_profit` less `operating_expenses`. With the layout `ifrs_18`, also `other_income`, ' +
      '`exchange_differences` and `disposal_results`, less `other_expenses`.',
  ),
  interest_and_dividend_income: sectionOf(
    'Subtypes `interest_income` and `dividend_income`; a credit is positive.',
  ),
  finance_costs: sectionOf('Subtype `finance_cost`; a debit is positive.'),
  profit_before_tax: signedAmount('All sections above.'),
  income_tax: sectionOf('Subtype `income_tax`; a debit is positive.'),
  profit: signedAmount('`profit_before_tax` less `income_tax`; a loss is negative.'),
};

export const Data = z.object({
  ...booksFields,
  profit_layout: TenantSummary.shape.profit_layout,
  ...statementFields(figures, { id: 'ProfitAndLossColumn' }),
});
z.globalRegistry.add(Data, {
  id: 'ProfitAndLoss',
  description: 'The revenue, the costs and the profit of a company in a period.',
});
export type Data = z.output<typeof Data>;

type Figures = NonNullable<Data['comparison']>;

const rowsOf = (figures: Figures, layout: Data['profit_layout']) => {
  const operating = figureRow('operating_profit', figures.operating_profit);
  const others = [
    ...sectionRows('other_income', figures.other_income),
    ...sectionRows('other_expenses', figures.other_expenses),
    ...sectionRows('exchange_differences', figures.exchange_differences),
    ...sectionRows('disposal_results', figures.disposal_results),
  ];
  return [
    ...sectionRows('revenue', figures.revenue),
    ...sectionRows('cost_of_sales', figures.cost_of_sales),
    figureRow('gross_profit', figures.gross_profit),
    ...sectionRows('operating_expenses', figures.operating_expenses),
    ...(layout === 'ifrs_18' ? [...others, operating] : [operating, ...others]),
    ...sectionRows('interest_and_dividend_income', figures.interest_and_dividend_income),
    ...sectionRows('finance_costs', figures.finance_costs),
    figureRow('profit_before_tax', figures.profit_before_tax),
    ...sectionRows('income_tax', figures.income_tax),
    figureRow('profit', figures.profit),
  ];
};

export const csv = (report: Data): string => {
  const { from, to, profit_layout } = report;
  return statementCsv<Figures>(
    report,
    { from: () => from, to: () => to, section: ({ section }) => section },
    (figures) => rowsOf(figures, profit_layout),
  );
};

export const documentation: EndpointDocumentation = {
  summary: 'Get profit and loss',
  description: `Returns the company's revenue and costs in a period, section by section down to
\`profit\`. \`from\` defaults to the first day of the fiscal year that contains \`to\`, so without
dates the period is the fiscal year to date.

Revenue and income are positive for a credit; costs and expenses are positive for a debit. Accounts
that reduce their section are negative, like discounts in revenue.

Operating profit includes all income and expenses except those of investing, of financing and of
income taxes (IFRS 18). With the tenant's \`profit_layout\` \`other_items_below\`, other income and
expenses, exchange differences and disposals follow it instead; \`profit_before_tax\` is the same.

The subtype of an account decides its section. Revenue accounts without a subtype are operating
revenue, and expense accounts without one are operating expenses. Accounts with a zero amount are
omitted; archived accounts are included. The classification that an account has on \`to\`
applies. Entries count on their posting date; scheduled entries do not count.

The profits of consecutive periods add up to the profit of the whole. The profit of the fiscal year
to date is \`retained_earnings.profit\` in the balance sheet.

**Check \`coverage\` before you show the profit of a connected tenant: with \`journals_only\`, it is
not the company's complete profit.**

The CSV has a row for each account and each figure. \`section\` is the name in the JSON reply.
\`row_type\` is \`account\`, \`total\` (of a section) or \`figure\` (a profit).`,
  errors: ['tenant_not_found', 'reply_too_large'],
  examples: [
    {
      name: 'A quarter',
      request: { domain_url: 'analytical-engines-k7m2xq', from: '2026-01-01', to: '2026-03-31' },
      data: {
        ...exampleBooks,
        profit_layout: 'ifrs_18',
        from: '2026-01-01',
        to: '2026-03-31',
        revenue: exampleAmounts('18000.00', ['4010', 'Service Revenue', '18000.00']),
        cost_of_sales: exampleAmounts('0.00'),
        gross_profit: '18000.00',
        operating_expenses: exampleAmounts(
          '7100.00',
          ['6000', 'Salaries and Benefits', '6000.00'],
          ['6300', 'Software, IT and Office Costs', '900.00'],
          ['6600', 'Depreciation and Amortisation', '200.00'],
        ),
        other_income: exampleAmounts('0.00'),
        other_expenses: exampleAmounts('0.00'),
        exchange_differences: exampleAmounts('40.00', [
          '7100',
          'Foreign Exchange Gain or Loss',
          '40.00',
        ]),
        disposal_results: exampleAmounts('0.00'),
        operating_profit: '10940.00',
        interest_and_dividend_income: exampleAmounts('0.00'),
        finance_costs: exampleAmounts('50.00', ['7000', 'Interest Expense', '50.00']),
        profit_before_tax: '10890.00',
        income_tax: exampleAmounts('1700.00', ['8000', 'Income Tax Expense', '1700.00']),
        profit: '9190.00',
      },
    },
  ],
};
