// What get-balance-sheet accepts and returns.

import * as z from 'zod/mini';
import { accountSubtypes } from '#shared/accounts/accounts.ts';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { calendarDate, domainUrl } from '#shared/fields.ts';
import { booksFields, dateText, signedAmount } from '#shared/reports/report.view.ts';
import { amountsFields } from '#shared/reports/statement.view.ts';
import {
  figureRow,
  statementCsv,
  subtypeRows,
  totalRow,
} from '#shared/reports/statement-csv.view.ts';

export const Request = z.strictObject({
  domain_url: domainUrl.check(
    z.describe('The tenant: its subdomain prefix or its full domain, in any case.'),
  ),
  as_of: z.optional(
    calendarDate.check(
      z.describe('Everything up to and including this posting date; today (UTC) without it.'),
    ),
  ),
});
export type Request = z.output<typeof Request>;

const Section = z.object({
  subtype: z
    .nullable(z.enum(accountSubtypes))
    .check(z.describe('Subtype of its accounts; null for accounts that have none.')),
  ...amountsFields,
});
z.globalRegistry.add(Section, {
  id: 'BalanceSheetSection',
  description: 'The accounts of a subtype in a balance sheet.',
});

const partFields = (sign: string) => ({
  sections: z
    .array(Section)
    .check(z.describe(`Those that have accounts to show. ${sign} is positive.`)),
  total: signedAmount(`${sign} is positive.`),
});

export const Data = z.object({
  ...booksFields,
  as_of: dateText('Last posting date.'),
  fiscal_year_start: dateText('First day of the fiscal year that `as_of` is in.'),
  assets: z.object(partFields('A debit')),
  liabilities: z.object(partFields('A credit')),
  equity: z.object({
    ...partFields('A credit'),
    retained_earnings_computed: signedAmount(
      'Profit of all fiscal years that ended before `fiscal_year_start`; a loss is negative.',
    ),
    current_year_earnings: signedAmount(
      'Profit from `fiscal_year_start` to `as_of`; a loss is negative.',
    ),
    total: signedAmount('The sections, `retained_earnings_computed` and `current_year_earnings`.'),
  }),
  total_liabilities_and_equity: signedAmount('The same as the total of `assets`.'),
});
z.globalRegistry.add(Data, {
  id: 'BalanceSheet',
  description: 'What a company owns and owes on a date; assets are liabilities and equity.',
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

const section = (subtype: string, accounts: [string, string, string][], total: string) => ({
  subtype,
  accounts: accounts.map(([account, account_name, amount]) => ({ account, account_name, amount })),
  total,
});

export const documentation: EndpointDocumentation = {
  summary: 'Get balance sheet',
  description: `Returns what the company owns (\`assets\`), what it owes (\`liabilities\`) and what
is left for its owners (\`equity\`) at the end of a posting date. Assets are always liabilities and
equity to the cent; where the books would say otherwise, the reply is \`internal_error\` and the
operator is called.

Each part has the sign that is natural to it: an asset is positive for a debit, a liability and
equity for a credit. What reduces its part, such as accumulated depreciation or dividends, is
negative.

Nothing is closed at the end of a fiscal year. Profit is part of equity without a posting:
\`current_year_earnings\` is that of the fiscal year which \`as_of\` is in, and
\`retained_earnings_computed\` that of all years before. What is posted to accounts of the subtype
\`retained_earnings\` is a section beside them, so do not post closing entries.

The sections stand in the order of the subtypes, and a last one with the subtype null has the
accounts without one. An account whose balance is zero has no row; archived accounts are in it like
others. Accounts are classified as the chart has them now, on earlier dates too. Entries count on
their posting date, and what is scheduled does not count.

**Look at \`coverage\` before you show the balance sheet of a connected tenant: with
\`journals_only\` it is not the company's.**

As csv it has a row for each account and each figure. \`section\` is its name in JSON, behind that
of the part that it is in, as in \`equity.current_year_earnings\`. \`row_type\` is \`account\`,
\`subtype_total\`, \`total\` of a part, or \`figure\` for what is none of these.`,
  errors: ['tenant_not_found', 'reply_too_large'],
  examples: [
    {
      name: 'At the end of a quarter',
      request: { domain_url: 'analytical-engines-k7m2xq', as_of: '2026-03-31' },
      data: {
        tenant_domain_url: 'analytical-engines-k7m2xq',
        currency: 'EUR',
        coverage: 'all_entries',
        digest: '5f0c7c2f6a1d3e9b8c4a7d2e1f0b9a8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a',
        as_of: '2026-03-31',
        fiscal_year_start: '2026-01-01',
        assets: {
          sections: [
            section('cash', [['1010', 'Bank Current Account', '30590.00']], '30590.00'),
            section('receivable', [['1100', 'Trade Receivables', '3000.00']], '3000.00'),
            section(
              'fixed_asset',
              [
                ['1520', 'Computers, Furniture and Vehicles', '2400.00'],
                ['1590', 'Accumulated Depreciation', '-200.00'],
              ],
              '2200.00',
            ),
          ],
          total: '35790.00',
        },
        liabilities: {
          sections: [
            section('payable', [['2000', 'Trade Payables', '900.00']], '900.00'),
            section('tax_liability', [['2210', 'Income Tax Payable', '1700.00']], '1700.00'),
            section('debt', [['2500', 'Long-term Loans', '5000.00']], '5000.00'),
          ],
          total: '7600.00',
        },
        equity: {
          sections: [
            section('contributed_capital', [['3000', 'Share Capital', '10000.00']], '10000.00'),
            section(
              'distributions',
              [['3100', 'Dividends and Owner Drawings', '-3000.00']],
              '-3000.00',
            ),
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
