// What get-balance-sheet accepts and returns.

import * as z from 'zod/mini';
import { accountSubtypes } from '#shared/accounts/accounts.ts';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { calendarDate, domainUrl } from '#shared/fields.ts';
import { booksFields, dateText, signedAmount } from '#shared/reports/report.view.ts';
import { exampleAmounts, exampleBooks } from '#shared/reports/report-example.view.ts';
import { amountsFields } from '#shared/reports/statement.view.ts';
import {
  figureRow,
  statementCsv,
  subtypeRows,
  totalRow,
} from '#shared/reports/statement-csv.view.ts';

export const Request = z.strictObject({
  domain_url: domainUrl,
  as_of: z.optional(calendarDate.check(z.describe('Last posting date. Defaults to today (UTC).'))),
});

const Section = z.object({
  subtype: z
    .nullable(z.enum(accountSubtypes))
    .check(z.describe('Subtype of the accounts; null for accounts without one.')),
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

export const Data = z.object({
  ...booksFields,
  as_of: dateText('Last posting date.'),
  fiscal_year_start: dateText('First day of the fiscal year that contains `as_of`.'),
  assets: z.object(partFields('A debit')),
  liabilities: z.object(partFields('A credit')),
  equity: z.object({
    ...partFields('A credit'),
    retained_earnings_computed: signedAmount(
      'Profit of all fiscal years before `fiscal_year_start`; a loss is negative.',
    ),
    current_year_earnings: signedAmount(
      'Profit from `fiscal_year_start` to `as_of`; a loss is negative.',
    ),
    total: signedAmount(
      'Sum of the sections, `retained_earnings_computed` and `current_year_earnings`.',
    ),
  }),
  total_liabilities_and_equity: signedAmount('Equal to the total of `assets`.'),
});
z.globalRegistry.add(Data, {
  id: 'BalanceSheet',
  description: 'The assets, liabilities and equity of a company on a date.',
});
export type Data = z.output<typeof Data>;

const partRows = (name: string, { sections, total }: Data['assets']) => ({
  sections: sections.flatMap((section) => subtypeRows(name, section)),
  total: totalRow(name, total),
});

export const csv = (report: Data): string => {
  const { as_of, fiscal_year_start, equity } = report;
  const assets = partRows('assets', report.assets);
  const liabilities = partRows('liabilities', report.liabilities);
  const owners = partRows('equity', equity);
  return statementCsv(
    report,
    {
      as_of: () => as_of,
      fiscal_year_start: () => fiscal_year_start,
      section: ({ section }) => section,
      subtype: ({ subtype }) => subtype ?? null,
    },
    [
      ...[...assets.sections, assets.total, ...liabilities.sections, liabilities.total],
      ...owners.sections,
      figureRow('equity.retained_earnings_computed', equity.retained_earnings_computed),
      figureRow('equity.current_year_earnings', equity.current_year_earnings),
      owners.total,
      figureRow('total_liabilities_and_equity', report.total_liabilities_and_equity),
    ],
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

Nothing is closed at the end of a fiscal year. Equity includes profit without a posting:
\`current_year_earnings\` is the profit of the fiscal year that contains \`as_of\`, and
\`retained_earnings_computed\` is the profit of all earlier years. Postings to accounts of the
subtype \`retained_earnings\` appear in a separate section, so do not post closing entries.

Sections are in the order of the subtypes. The last section, with the subtype null, has the accounts
without a subtype. Accounts with a zero balance are omitted; archived accounts are included. The
current classification of an account applies to earlier dates too. Entries count on their posting
date; scheduled entries do not count.

**Check \`coverage\` before you show the balance sheet of a connected tenant: with
\`journals_only\`, it is not the company's complete balance sheet.**

The CSV has a row for each account and each figure. \`section\` is the path in the JSON reply, for
example \`equity.current_year_earnings\`. \`row_type\` is \`account\`, \`subtype_total\`, \`total\`
(of a part) or \`figure\` (any other amount).`,
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
          sections: [
            section('cash', '30590.00', ['1010', 'Bank Current Account', '30590.00']),
            section('receivable', '3000.00', ['1100', 'Trade Receivables', '3000.00']),
            section(
              'fixed_asset',
              '2200.00',
              ['1520', 'Computers, Furniture and Vehicles', '2400.00'],
              ['1590', 'Accumulated Depreciation', '-200.00'],
            ),
          ],
          total: '35790.00',
        },
        liabilities: {
          sections: [
            section('payable', '900.00', ['2000', 'Trade Payables', '900.00']),
            section('income_tax_liability', '1700.00', ['2210', 'Income Tax Payable', '1700.00']),
            section('debt', '5000.00', ['2500', 'Long-term Loans', '5000.00']),
          ],
          total: '7600.00',
        },
        equity: {
          sections: [
            section('contributed_capital', '10000.00', ['3000', 'Share Capital', '10000.00']),
            section('distributions', '-3000.00', [
              '3100',
              'Dividends and Owner Drawings',
              '-3000.00',
            ]),
          ],
          retained_earnings_computed: '12000.00',
          current_year_earnings: '9190.00',
          total: '28190.00',
        },
        total_liabilities_and_equity: '35790.00',
      },
    },
  ],
};
