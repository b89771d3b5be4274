// What get-revaluation accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { calendarDate, domainUrl } from '#shared/fields.ts';
import { RateSource } from '#shared/rates/exchange-rates.ts';
import { csvNumber, csvTable } from '#shared/reports/csv.ts';
import {
  accountFields,
  booksFields,
  csvAmount,
  currencyText,
  dateText,
  reportAmount,
  reportColumns,
  signedAmount,
} from '#shared/reports/report.view.ts';
import { exampleBooks } from '#shared/reports/report-example.view.ts';

export const Request = z.strictObject({
  domain_url: domainUrl,
  as_of: z.optional(
    calendarDate.check(
      z.describe('Last posting date, whose closing rates count. Defaults to today (UTC).'),
    ),
  ),
});

const Row = z.object({
  ...accountFields,
  currency: currencyText('Currency of the balance.'),
  balance: signedAmount('Balance in this currency; positive for a debit.'),
  book_balance: signedAmount('Book amount of this balance, in the book currency.'),
  exchange_rate: z.nullable(z.string()).check(
    z.meta({
      pattern: '^\\d+\\.\\d{11}$',
      description: 'The closing rate to the book currency; null if the balance is zero.',
    }),
  ),
  exchange_rate_date: z
    .nullable(z.string())
    .check(z.meta({ format: 'date', description: 'Date of the rate, as in an entry.' })),
  exchange_rate_source: z
    .nullable(RateSource)
    .check(z.describe('Source of the rate, as in an entry.')),
  closing_balance: signedAmount('`balance` at the closing rate, in the book currency.'),
  difference: signedAmount(
    '`closing_balance` less `book_balance`: positive for a gain, negative for a loss.',
  ),
  kind: z
    .enum(['unrealised', 'realised'])
    .check(
      z.describe(
        '`realised` if the balance is zero: then no later rate can change the difference.',
      ),
    ),
});
z.globalRegistry.add(Row, {
  id: 'RevaluedBalance',
  description: 'The balance of an account in a currency, at the closing rate.',
});

export const Data = z.object({
  ...booksFields,
  as_of: dateText('Last posting date.'),
  rows: z
    .array(Row)
    .check(
      z.describe('The balances of monetary accounts in other currencies, by account and currency.'),
    ),
  totals: z
    .object({
      gains: reportAmount('Sum of the positive differences.'),
      losses: reportAmount('Sum of the negative differences, without their sign.'),
      difference: signedAmount('Gains less losses.'),
    })
    .check(z.describe('The differences in total.')),
});
export type Data = z.output<typeof Data>;

export const csv = (report: Data): string =>
  csvTable(
    reportColumns<Data['rows'][number] & { report: Data }>({
      as_of: (row) => row.report.as_of,
      account: (row) => row.account,
      account_name: (row) => row.account_name,
      account_type: (row) => row.account_type,
      currency: (row) => row.currency,
      balance: (row) => csvAmount(row.balance),
      book_currency: (row) => row.report.currency,
      book_balance: (row) => csvAmount(row.book_balance),
      exchange_rate: (row) => (row.exchange_rate === null ? null : csvNumber(row.exchange_rate)),
      exchange_rate_date: (row) => row.exchange_rate_date,
      exchange_rate_source: (row) => row.exchange_rate_source,
      closing_balance: (row) => csvAmount(row.closing_balance),
      difference: (row) => csvAmount(row.difference),
      kind: (row) => row.kind,
    }),
    report.rows.map((row) => ({ ...row, report })),
  );

export const documentation: EndpointDocumentation = {
  summary: 'Get revaluation',
  description: `Shows what a revaluation would post: for each monetary account and other currency,
the balance, its book amount, the balance at the closing rate of the date, and the difference
(IAS 21.23, 21.28). Post it with \`POST journal_entries/revalue/\`.

- Monetary are all liabilities, cash and money in transit, and assets of the subtypes
  \`receivable\`, \`tax_asset\`, \`income_tax_asset\`, \`deferred_tax_asset\`, \`intercompany\`
  and \`non_current_intercompany\`. Prepayments, inventory, fixed assets, investments and equity
  keep the rates of their entries. The classification of an account on the date applies.
- The closing rate is the rate that an entry of the date would get. If a currency has none, the
  request is refused as \`exchange_rate_unavailable\`.
- If a balance has returned to zero and its book amount has not, the difference is \`realised\`.`,
  errors: ['tenant_not_found', 'book_amounts_unknown'],
  examples: [
    {
      name: 'The end of a quarter',
      request: { domain_url: 'analytical-engines-k7m2xq', as_of: '2026-03-31' },
      data: {
        ...exampleBooks,
        as_of: '2026-03-31',
        rows: [
          {
            account: '1010',
            account_name: 'Bank Current Account',
            account_type: 'asset',
            currency: 'USD',
            balance: '1159.60',
            book_balance: '1000.00',
            exchange_rate: '0.86956521739',
            exchange_rate_date: '2026-03-31',
            exchange_rate_source: 'ecb_derived',
            closing_balance: '1008.35',
            difference: '8.35',
            kind: 'unrealised',
          },
          {
            account: '1020',
            account_name: 'Savings and Term Deposits',
            account_type: 'asset',
            currency: 'USD',
            balance: '0.00',
            book_balance: '14.41',
            exchange_rate: null,
            exchange_rate_date: null,
            exchange_rate_source: null,
            closing_balance: '0.00',
            difference: '-14.41',
            kind: 'realised',
          },
        ],
        totals: { gains: '8.35', losses: '14.41', difference: '-6.06' },
      },
    },
  ],
};
