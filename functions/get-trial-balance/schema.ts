// What get-trial-balance accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { acrossFields, fromNotAfterTo } from '#shared/field-relations.ts';
import { accountCode, calendarDate, domainUrl, queryBoolean } from '#shared/fields.ts';
import { csvTable } from '#shared/reports/csv.ts';
import {
  accountFields,
  booksFields,
  currencyText,
  dateText,
  figuresColumns,
  figuresFields,
  reportColumns,
} from '#shared/reports/report.view.ts';
import { exampleBooks } from '#shared/reports/report-example.view.ts';

/** Requires a date or a period. A period needs both ends. */
const asOfOrPeriod = acrossFields<Partial<Record<'as_of' | 'from' | 'to', string | undefined>>>(
  ({ as_of, from, to }, { addIssue }) => {
    const refuse = (message: string, name: string) =>
      addIssue({ code: 'custom', message, path: [name] });
    if (as_of !== undefined) {
      if (from !== undefined || to !== undefined) refuse('as_of_excludes_period', 'as_of');
      return;
    }
    if (from === undefined && to !== undefined) refuse('required', 'from');
    if (from !== undefined && to === undefined) refuse('required', 'to');
  },
);

export const Request = z
  .strictObject({
    domain_url: domainUrl,
    as_of: z.optional(
      calendarDate.check(
        z.describe('Last posting date. Defaults to today (UTC) if the request has no period.'),
      ),
    ),
    from: z.optional(
      calendarDate.check(
        z.describe('First posting date of a period. It requires `to` and excludes `as_of`.'),
      ),
    ),
    to: z.optional(
      calendarDate.check(
        z.describe('Last posting date of a period. It requires `from` and excludes `as_of`.'),
      ),
    ),
    account: z.optional(
      accountCode.check(z.describe('Only the account with this code, and its totals.')),
    ),
    by_currency: z
      ._default(queryBoolean, false)
      .check(z.describe('Whether each row also shows amounts in other currencies.')),
  })
  .check(fromNotAfterTo, asOfOrPeriod);

const CurrencyFigures = z.object({
  currency: currencyText('A transaction currency.'),
  ...figuresFields,
});

const Row = z.object({
  ...accountFields,
  ...figuresFields,
  currencies: z
    .optional(z.array(CurrencyFigures))
    .check(
      z.describe(
        'The part of the figures above that comes from entries in other currencies, in ' +
          'those currencies. Only with `by_currency=true`.',
      ),
    ),
});
z.globalRegistry.add(Row, {
  id: 'TrialBalanceRow',
  description: 'An account in a trial balance.',
});

export const Data = z.object({
  ...booksFields,
  from: z.nullable(dateText('First posting date of the period; null with `as_of`.')),
  to: z.nullable(dateText('Last posting date of the period; null with `as_of`.')),
  as_of: z.nullable(dateText('Last posting date; null with a period.')),
  rows: z.array(Row).check(z.describe('The accounts, ordered by code.')),
  totals: z.object(figuresFields),
});
z.globalRegistry.add(Data, {
  id: 'TrialBalance',
  description:
    "The balances and movements of a tenant's accounts. Total debits equal total " + 'credits.',
});
export type Data = z.output<typeof Data>;

/** A CSV row: an account, an account in another currency, or the totals. */
type CsvRow = {
  report: Data;
  type: 'account' | 'account_in_currency' | 'total';
  account?: z.output<typeof Row>;
  currency: string;
  figures: Data['totals'];
};

const columns = reportColumns<CsvRow>({
  from: ({ report }) => report.from,
  to: ({ report }) => report.to,
  as_of: ({ report }) => report.as_of,
  row_type: ({ type }) => type,
  account: ({ account }) => account?.account ?? null,
  account_name: ({ account }) => account?.account_name ?? null,
  account_type: ({ account }) => account?.account_type ?? null,
  currency: ({ currency }) => currency,
  ...figuresColumns,
});

export const csv = (report: Data): string => {
  const { currency } = report;
  const rows = report.rows.flatMap((account): CsvRow[] => [
    { report, type: 'account', account, currency, figures: account },
    ...(account.currencies ?? []).map((figures) => ({
      report,
      type: 'account_in_currency' as const,
      account,
      currency: figures.currency,
      figures,
    })),
  ]);
  return csvTable(columns, [...rows, { report, type: 'total', currency, figures: report.totals }]);
};

const sides = (debit: string, credit: string) => ({ debit, credit });
const none = sides('0.00', '0.00');
const bank = { account: '1010', account_name: 'Bank Current Account', account_type: 'asset' };
const revenue = { account: '4010', account_name: 'Service Revenue', account_type: 'revenue' };
const dollars = (movement: { debit: string; credit: string }, closing: typeof movement) => ({
  currency: 'USD',
  opening: none,
  movement,
  closing,
});

export const documentation: EndpointDocumentation = {
  summary: 'Get trial balance',
  description: `Returns three figures for each account: the balance before the period (\`opening\`),
the total debits and total credits of the period (\`movement\`), and the balance at its end
(\`closing\`). In each of the three totals, debits equal credits.

An entry counts on its posting date: \`accrual_date\` if it has one, otherwise \`date\`. Scheduled
entries do not count. \`opening\` covers all earlier years, for revenue and expenses too: nothing is
closed at the end of a year. Archived accounts are included. With \`as_of\`, all entries up to that
date are movement, and \`opening\` is zero. An entry can have a date in the future. To include it,
send an \`as_of\` or \`to\` on or after that date.

Accounts whose figures are all zero, including the figures by currency, are omitted. An account that
you select with \`account\` is always shown. The totals then cover only this account and do not
balance; \`digest\` still covers all the books. A reply has room for about 15,000 accounts, fewer
with \`by_currency\`. A larger report is refused as \`reply_too_large\`: omit \`by_currency\`, or
request single accounts with \`account\`.

The report includes every entry whose post was answered before the request. **Check \`coverage\`
before you show a report of a connected tenant: with \`journals_only\`, it is not the company's
complete trial balance.**

The CSV has a row for each account, followed by a row for each of its \`currencies\`. The last row
has the totals. Use \`row_type\` (\`account\`, \`account_in_currency\` or \`total\`) to avoid
counting amounts twice. \`currency\` is the currency of the row's amounts.`,
  errors: ['tenant_not_found', 'reply_too_large'],
  examples: [
    {
      name: 'A month with an amount in dollars',
      request: {
        domain_url: 'analytical-engines-k7m2xq',
        from: '2026-03-01',
        to: '2026-03-31',
        by_currency: 'true',
      },
      data: {
        ...exampleBooks,
        from: '2026-03-01',
        to: '2026-03-31',
        as_of: null,
        rows: [
          {
            ...bank,
            opening: sides('250.00', '0.00'),
            movement: sides('1000.00', '100.00'),
            closing: sides('1150.00', '0.00'),
            currencies: [dollars(sides('1159.60', '0.00'), sides('1159.60', '0.00'))],
          },
          {
            ...revenue,
            opening: sides('0.00', '250.00'),
            movement: sides('100.00', '1000.00'),
            closing: sides('0.00', '1150.00'),
            currencies: [dollars(sides('0.00', '1159.60'), sides('0.00', '1159.60'))],
          },
        ],
        totals: {
          opening: sides('250.00', '250.00'),
          movement: sides('1100.00', '1100.00'),
          closing: sides('1150.00', '1150.00'),
        },
      },
    },
    {
      name: 'One account as of a date',
      request: { domain_url: 'analytical-engines-k7m2xq', as_of: '2026-03-31', account: '1010' },
      data: {
        ...exampleBooks,
        from: null,
        to: null,
        as_of: '2026-03-31',
        rows: [
          {
            ...bank,
            opening: none,
            movement: sides('1250.00', '100.00'),
            closing: sides('1150.00', '0.00'),
          },
        ],
        totals: {
          opening: none,
          movement: sides('1250.00', '100.00'),
          closing: sides('1150.00', '0.00'),
        },
      },
    },
  ],
};
