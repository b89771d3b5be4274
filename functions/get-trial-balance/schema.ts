// What get-trial-balance accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import {
  accountCode,
  calendarDate,
  domainUrl,
  fromNotAfterTo,
  queryBoolean,
} from '#shared/fields.ts';
import { csvTable } from '#shared/reports/csv.ts';
import {
  accountFields,
  booksFields,
  dateText,
  figuresColumns,
  figuresFields,
  reportColumns,
} from '#shared/reports/report.view.ts';

/** A date or a period, and of a period both ends. */
const asOfOrPeriod = z.superRefine<Partial<Record<'as_of' | 'from' | 'to', string | undefined>>>(
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
  { when: ({ value }) => typeof value === 'object' && value !== null },
);

export const Request = z
  .strictObject({
    domain_url: domainUrl.check(
      z.describe('The tenant: its subdomain prefix or its full domain, in any case.'),
    ),
    as_of: z.optional(
      calendarDate.check(
        z.describe(
          'Everything up to and including this posting date. Today (UTC) where neither this nor ' +
            'a period is given.',
        ),
      ),
    ),
    from: z.optional(
      calendarDate.check(
        z.describe('First posting date of the period; it needs `to`, and excludes `as_of`.'),
      ),
    ),
    to: z.optional(
      calendarDate.check(
        z.describe('Last posting date of the period; it needs `from`, and excludes `as_of`.'),
      ),
    ),
    account: z.optional(
      accountCode.check(z.describe('Only the account of this code, and its totals.')),
    ),
    by_currency: z
      ._default(queryBoolean, false)
      .check(z.describe('Whether each row also shows amounts in other currencies.')),
  })
  .check(fromNotAfterTo, asOfOrPeriod);
export type Request = z.output<typeof Request>;

const CurrencyFigures = z.object({
  currency: z
    .string()
    .check(z.meta({ pattern: '^[A-Z]{3}$', description: 'A transaction currency.' })),
  ...figuresFields,
});

const Row = z.object({
  ...accountFields,
  ...figuresFields,
  currencies: z
    .optional(z.array(CurrencyFigures))
    .check(
      z.describe(
        'Transaction amounts in currencies other than that of the books, which the figures of ' +
          'the row have in the currency of the books. Only with `by_currency=true`.',
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
  as_of: z.nullable(dateText('Last posting date; null where a period was asked for.')),
  rows: z.array(Row).check(z.describe('The accounts in the order of their codes.')),
  totals: z.object(figuresFields),
});
z.globalRegistry.add(Data, {
  id: 'TrialBalance',
  description: 'What each account of a tenant came to; debits and credits of all are equal.',
});
export type Data = z.output<typeof Data>;

/** A row of csv: of an account, of one of its currencies, or of all. */
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
      ...{ report, type: 'account_in_currency' as const, account },
      ...{ currency: figures.currency, figures },
    })),
  ]);
  return csvTable(columns, [...rows, { report, type: 'total', currency, figures: report.totals }]);
};

const sides = (debit: string, credit: string) => ({ debit, credit });
const none = sides('0.00', '0.00');
const row = (account: string, account_name: string, account_type: 'asset' | 'revenue') => ({
  ...{ account, account_name, account_type },
});
const books = {
  tenant_domain_url: 'analytical-engines-k7m2xq',
  currency: 'EUR',
  coverage: 'all_entries',
  digest: '5f0c7c2f6a1d3e9b8c4a7d2e1f0b9a8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a',
};
const bank = row('1010', 'Bank Current Account', 'asset');
const revenue = row('4010', 'Service Revenue', 'revenue');

export const documentation: EndpointDocumentation = {
  summary: 'Get trial balance',
  description: `Returns, for each account, what it came to before a period (\`opening\`), what moved
in it (\`movement\`, gross), and what it comes to at its end (\`closing\`). Over all accounts,
debits equal credits in each of the three totals.

Entries count on their posting date: \`accrual_date\` where they have one, else \`date\`. What is
scheduled does not count. \`opening\` is cumulative over all years, for revenue and expenses too:
nothing is closed at the end of a year. Archived accounts are in it like others. With \`as_of\`
everything up to that date is movement, and \`opening\` is zero. An entry may have a date in the
future: it counts from then on, so ask for an \`as_of\` or \`to\` that is as late.

An account whose figures are all zero, those by currency too, has no row, unless it is the one
asked for by \`account\`. With that the totals are of this one and do not balance, while \`digest\`
is of all the books. The rows of some 15,000 accounts fit into a reply, and fewer with
\`by_currency\`; a report of more is refused as \`reply_too_large\`: leave \`by_currency\` out, or
ask by \`account\`.

A post that was answered is in the next report. **Look at \`coverage\` before you show a report of a
connected tenant: with \`journals_only\` it is not the company's whole trial balance.**

As csv it has a row for each account, and behind it one for each of its \`currencies\`; the last one
has the totals. \`row_type\` says which it is (\`account\`, \`account_in_currency\`, \`total\`), so
that nothing is added up twice, and \`currency\` what the amounts of the row are in.`,
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
        ...{ ...books, from: '2026-03-01', to: '2026-03-31', as_of: null },
        rows: [
          {
            ...bank,
            opening: sides('250.00', '0.00'),
            movement: sides('1000.00', '100.00'),
            closing: sides('1150.00', '0.00'),
            currencies: [
              {
                currency: 'USD',
                opening: none,
                movement: sides('1159.60', '0.00'),
                closing: sides('1159.60', '0.00'),
              },
            ],
          },
          {
            ...revenue,
            opening: sides('0.00', '250.00'),
            movement: sides('100.00', '1000.00'),
            closing: sides('0.00', '1150.00'),
            currencies: [
              {
                currency: 'USD',
                opening: none,
                movement: sides('0.00', '1159.60'),
                closing: sides('0.00', '1159.60'),
              },
            ],
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
        ...{ ...books, from: null, to: null, as_of: '2026-03-31' },
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
