// What get-balance-sheet accepts and returns.

import * as z from 'zod/mini';
import { accountSubtypes } from '#shared/accounts/accounts.ts';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { calendarDate, domainUrl } from '#shared/fields.ts';
import { booksFields, dateText, signedAmount } from '#shared/reports/report.view.ts';
import { exampleAmounts, exampleBooks } from '#shared/reports/report-example.view.ts';
import {
  AccountAmountsView,
  amountsFields,
  columnChoiceFields,
  retainedEarningsFields,
  statementFields,
} from '#shared/reports/statement.view.ts';
import {
  figureRow,
  sectionRows,
  statementCsv,
  subtypeRows,
  totalRow,
} from '#shared/reports/statement-csv.view.ts';

export const Request = z.strictObject({
  domain_url: domainUrl,
  as_of: z.optional(calendarDate.check(z.describe('Last posting date. Defaults to today (UTC).'))),
  compare: columnChoiceFields.compare.check(
    z.describe(
      'Adds the figures of another date: a year earlier, or the end of the fiscal year before ' +
        '(`previous_period`).',
    ),
  ),
  columns: columnChoiceFields.columns.check(
    z.describe(
      "Adds the figures at the end of each month of `as_of`'s fiscal year, until `as_of`.",
    ),
  ),
});

const Section = z.object({
  subtype: z
    .nullable(z.enum(accountSubtypes))
    .check(z.describe('Subtype of the accounts; null for equity accounts without one.')),
  ...amountsFields,
});
z.globalRegistry.add(Section, {
  id: 'BalanceSheetSection',
  description: 'The accounts of a subtype in a balance sheet.',
});

const partFields = (sign: string) => ({
  sections: z
    .array(Section)
    .check(z.describe(`The sections with accounts to show. ${sign} is positive.`)),
  total: signedAmount(`${sign} is positive.`),
});

const Part = z.object(partFields('The natural sign of the part'));
z.globalRegistry.add(Part, {
  id: 'BalanceSheetPart',
  description: 'The sections of a part of a balance sheet, and their total.',
});

const dividedPart = (sign: string) =>
  z.object({
    current: Part.check(z.describe('What is settled or used up within a year.')),
    non_current: Part.check(z.describe('All others with a subtype.')),
    without_subtype: AccountAmountsView.check(
      z.describe('Accounts without a subtype, which can be either.'),
    ),
    total: signedAmount(`Sum of the three. ${sign} is positive.`),
  });

const RetainedEarnings = z.object({
  ...retainedEarningsFields,
  posted: AccountAmountsView.check(
    z.describe('The balances of both subtypes, which are part of `closing`.'),
  ),
});
z.globalRegistry.add(RetainedEarnings, {
  id: 'RetainedEarnings',
  description: 'Retained earnings, and how they moved since the start of the fiscal year.',
});

const figures = {
  as_of: dateText('Last posting date.'),
  fiscal_year_start: dateText('First day of the fiscal year that contains `as_of`.'),
  assets: dividedPart('A debit'),
  liabilities: dividedPart('A credit'),
  equity: z.object({
    ...partFields('A credit'),
    retained_earnings: RetainedEarnings,
    total: signedAmount('Sum of the sections and of `retained_earnings.closing`.'),
  }),
  total_liabilities_and_equity: signedAmount('Equal to the total of `assets`.'),
};

export const Data = z.object({
  ...booksFields,
  ...statementFields(figures, { id: 'BalanceSheetColumn' }),
});
z.globalRegistry.add(Data, {
  id: 'BalanceSheet',
  description: 'The assets, liabilities and equity of a company on a date.',
});
export type Data = z.output<typeof Data>;

const partRows = (name: string, part: Data['assets']) => [
  ...(['current', 'non_current'] as const).flatMap((key) => [
    ...part[key].sections.flatMap((section) => subtypeRows(`${name}.${key}`, section)),
    totalRow(`${name}.${key}`, part[key].total),
  ]),
  ...sectionRows(`${name}.without_subtype`, part.without_subtype),
  totalRow(name, part.total),
];

type Figures = NonNullable<Data['comparison']>;

const rowsOf = ({ equity, ...figures }: Figures) => {
  const { posted, ...movements } = equity.retained_earnings;
  return [
    ...partRows('assets', figures.assets),
    ...partRows('liabilities', figures.liabilities),
    ...equity.sections.flatMap((section) => subtypeRows('equity', section)),
    ...Object.entries(movements).map(([name, amount]) =>
      figureRow(`equity.retained_earnings.${name}`, amount),
    ),
    ...sectionRows('equity.retained_earnings.posted', posted),
    totalRow('equity', equity.total),
    figureRow('total_liabilities_and_equity', figures.total_liabilities_and_equity),
  ];
};

export const csv = (report: Data): string => {
  const { as_of, fiscal_year_start } = report;
  return statementCsv<Figures>(
    report,
    {
      as_of: () => as_of,
      fiscal_year_start: () => fiscal_year_start,
      section: ({ section }) => section,
      subtype: ({ subtype }) => subtype ?? null,
    },
    rowsOf,
  );
};

const section = (subtype: string, ...amounts: Parameters<typeof exampleAmounts>) => ({
  subtype,
  ...exampleAmounts(...amounts),
});

export const documentation: EndpointDocumentation = {
  summary: 'Get balance sheet',
  description: `Returns the company's \`assets\`, \`liabilities\` and \`equity\` at the end of a
posting date. Assets always equal liabilities plus equity, to the cent. If the books contradict
this, the reply is \`internal_error\` and the operator is alerted.

An asset is positive for a debit; liabilities and equity are positive for a credit. Accounts that
reduce their part, like accumulated depreciation or dividends, are negative.

Nothing is closed at the end of a fiscal year, so do not post closing entries. Equity has one line
of \`retained_earnings\`, computed from the profits, with what changed them since the start of the
fiscal year: the profit of the year, distributions, and what was posted to accounts of the subtype
\`retained_earnings\`.

Assets and liabilities are \`current\` or \`non_current\` by their subtypes. Non-current are fixed
assets, intangible assets, investments, deferred taxes, other non-current assets and liabilities,
debt, and \`non_current_intercompany\`. The \`current_part\` of a loan, as of the date of each
column, is in the section of \`current_debt\`, and the rest in that of \`debt\`. In versions before
1.3.0, \`investment\` and \`debt\` had both: give such accounts \`current_investment\` or
\`current_debt\` with update-account.

Sections are in the order of the subtypes. Accounts with a zero balance are omitted; archived
accounts are included. The classification that an account has on \`as_of\` applies. Entries count on
their posting date; scheduled entries do not count.

**Check \`coverage\` before you show the balance sheet of a connected tenant: with
\`journals_only\`, it is not the company's complete balance sheet.**

The CSV has a row for each account and each figure. \`section\` is the path in the JSON reply, for
example \`equity.retained_earnings.closing\`. \`row_type\` is \`account\`, \`subtype_total\`,
\`total\` (of a part) or \`figure\` (any other amount).`,
  errors: ['tenant_not_found', 'reply_too_large'],
  examples: [
    {
      name: 'At the end of a quarter',
      request: { domain_url: 'analytical-engines-k7m2xq', as_of: '2026-03-31' },
      data: {
        ...exampleBooks,
        as_of: '2026-03-31',
        fiscal_year_start: '2026-01-01',
        assets: {
          current: {
            sections: [
              section('cash', '30590.00', ['1010', 'Bank Current Account', '30590.00']),
              section('receivable', '3000.00', ['1100', 'Trade Receivables', '3000.00']),
            ],
            total: '33590.00',
          },
          non_current: {
            sections: [
              section(
                'fixed_asset',
                '2200.00',
                ['1520', 'Computers, Furniture and Vehicles', '2400.00'],
                ['1590', 'Accumulated Depreciation', '-200.00'],
              ),
            ],
            total: '2200.00',
          },
          without_subtype: exampleAmounts('0.00'),
          total: '35790.00',
        },
        liabilities: {
          current: {
            sections: [
              section('payable', '900.00', ['2000', 'Trade Payables', '900.00']),
              section('income_tax_liability', '1700.00', ['2210', 'Income Tax Payable', '1700.00']),
            ],
            total: '2600.00',
          },
          non_current: {
            sections: [section('debt', '5000.00', ['2500', 'Long-term Loans', '5000.00'])],
            total: '5000.00',
          },
          without_subtype: exampleAmounts('0.00'),
          total: '7600.00',
        },
        equity: {
          sections: [
            section('contributed_capital', '10000.00', ['3000', 'Share Capital', '10000.00']),
          ],
          retained_earnings: {
            opening: '12000.00',
            profit: '9190.00',
            distributions: '-3000.00',
            other_movements: '0.00',
            closing: '18190.00',
            posted: exampleAmounts('-3000.00', [
              '3100',
              'Dividends and Owner Drawings',
              '-3000.00',
            ]),
          },
          total: '28190.00',
        },
        total_liabilities_and_equity: '35790.00',
      },
    },
  ],
};
