// What get-account-ledger accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { nextCursor, openCursors, pageLimit } from '#shared/endpoint/page.view.ts';
import { fromNotAfterTo } from '#shared/field-relations.ts';
import { accountCode, calendarDate, currencyOfItsTime, domainUrl } from '#shared/fields.ts';
import { LedgerPosition } from '#shared/reports/account-ledger.ts';
import { csvTable } from '#shared/reports/csv.ts';
import {
  accountFields,
  booksFields,
  csvAmount,
  currencyText,
  dateText,
  periodView,
  reportAmount,
  reportColumns,
  signedAmount,
} from '#shared/reports/report.view.ts';
import { exampleBooks } from '#shared/reports/report-example.view.ts';

export const cursors = openCursors('get-account-ledger', LedgerPosition);

export const Request = z
  .strictObject({
    domain_url: domainUrl,
    account: accountCode.check(z.describe('Code of the account.')),
    from: calendarDate.check(z.describe('First posting date.')),
    to: calendarDate.check(z.describe('Last posting date.')),
    currency: z.optional(
      currencyOfItsTime.check(
        z.describe(
          'Only lines in this transaction currency, with balances in it. Defaults to all lines, ' +
            "with balances in the tenant's currency; so does the tenant's currency.",
        ),
      ),
    ),
    limit: pageLimit,
    cursor: cursors.field,
  })
  .check(fromNotAfterTo);
export type Request = z.output<typeof Request>;

const Line = z.object({
  posting_date: dateText('Date on which the entry counts.'),
  journal_number: z.string().check(z.describe('Number of the entry.')),
  journal_entry_id: z.string().check(z.describe('Id of the entry.')),
  line_number: z.int().check(z.minimum(1), z.describe('Position of the line in the entry.')),
  memo: z.string().check(z.describe('Description of the entry.')),
  description: z.string().check(z.describe('Description of the line; may be empty.')),
  debit: reportAmount("In the tenant's currency."),
  credit: reportAmount("In the tenant's currency."),
  balance: signedAmount(
    'Balance of the account after the line, debit positive, in `balance_currency`.',
  ),
  transaction_currency: currencyText('Currency of the entry.'),
  transaction_debit: reportAmount('In the transaction currency.'),
  transaction_credit: reportAmount('In the transaction currency.'),
});
z.globalRegistry.add(Line, {
  id: 'AccountLedgerLine',
  description: 'A line of a posted entry.',
});

export const Data = z.object({
  ...booksFields,
  ...accountFields,
  ...periodView,
  balance_currency: currencyText('Currency of the balances.'),
  opening_balance: signedAmount(
    'Balance before `from`, over all years, debit positive. On every page.',
  ),
  lines: z
    .array(Line)
    .check(
      z.describe(
        'Ordered by posting date. Within a date, entries without an `accrual_date` come ' +
          'first, then entries with one, each ordered by `date` and number.',
      ),
    ),
  closing_balance: signedAmount('Balance at the end of `to`, debit positive. On every page.'),
  next_cursor: nextCursor,
});
z.globalRegistry.add(Data, {
  id: 'AccountLedger',
  description: 'The lines of an account, with the balance after each line.',
});
export type Data = z.output<typeof Data>;

/** A CSV row: a line, the opening balance or the closing balance. */
type CsvRow = {
  report: Data;
  type: 'opening_balance' | 'line' | 'closing_balance';
  line?: Data['lines'][number];
  balance: string;
};

const columns = reportColumns<CsvRow>({
  from: ({ report }) => report.from,
  to: ({ report }) => report.to,
  account: ({ report }) => report.account,
  account_name: ({ report }) => report.account_name,
  account_type: ({ report }) => report.account_type,
  row_type: ({ type }) => type,
  posting_date: ({ line }) => line?.posting_date ?? null,
  journal_number: ({ line }) => line?.journal_number ?? null,
  journal_entry_id: ({ line }) => line?.journal_entry_id ?? null,
  line_number: ({ line }) => line?.line_number ?? null,
  memo: ({ line }) => line?.memo ?? null,
  description: ({ line }) => line?.description ?? null,
  currency: ({ report }) => report.currency,
  debit: ({ line }) => csvAmount(line?.debit),
  credit: ({ line }) => csvAmount(line?.credit),
  balance: ({ balance }) => csvAmount(balance),
  balance_currency: ({ report }) => report.balance_currency,
  transaction_currency: ({ line }) => line?.transaction_currency ?? null,
  transaction_debit: ({ line }) => csvAmount(line?.transaction_debit),
  transaction_credit: ({ line }) => csvAmount(line?.transaction_credit),
});

/** Only the first page has the opening balance, and only the last page the closing balance. */
export const csv = (report: Data, { cursor }: Pick<Request, 'cursor'>): string => {
  const { opening_balance, lines, closing_balance, next_cursor } = report;
  const opening = { report, type: 'opening_balance' as const, balance: opening_balance };
  const closing = { report, type: 'closing_balance' as const, balance: closing_balance };
  return csvTable(columns, [
    ...(cursor === undefined ? [opening] : []),
    ...lines.map((line) => ({ report, type: 'line' as const, line, balance: line.balance })),
    ...(next_cursor === null ? [closing] : []),
  ]);
};

const request = {
  domain_url: 'analytical-engines-k7m2xq',
  account: '1010',
  from: '2026-03-01',
  to: '2026-03-31',
};

const exampleLine = {
  posting_date: '2026-03-23',
  journal_number: 'MJ-20260323-0001',
  journal_entry_id: '2d2512c4-0000-8009-a1b2-c3d4e5f60718',
  line_number: 1,
  memo: 'March consulting',
  description: 'Received',
  debit: '1000.00',
  credit: '0.00',
  balance: '1250.00',
  transaction_currency: 'USD',
  transaction_debit: '1159.60',
  transaction_credit: '0.00',
};

export const documentation: EndpointDocumentation = {
  summary: 'Get account ledger',
  description: `Returns the lines of an account with the balance after each line. Debit balances are
positive.

To compare an account in dollars with its bank statement, send \`currency=USD\`. The reply then has
only the lines of entries in dollars, and all balances are in dollars. \`balance_currency\` is the
currency of the balances.

\`opening_balance\`, \`closing_balance\` and \`digest\` are as of the moment when the page is read.
If nothing is posted while you read the pages, each page continues from the last balance of the
previous page, and the last balance is \`closing_balance\`. If something is posted, entries are
still shown completely or not at all. An entry on a later date appears among the lines. An entry on
a date that you have passed, or on the date on which a page ended, is part of the first balance of
the next page. No line that existed at the beginning is omitted or repeated.

The service compares the lines of every date with the totals that the ledger stores for the date. If
they differ, the reply is \`internal_error\` and the operator is alerted. You never get a wrong
figure.

**Check \`coverage\` before you show the ledger of a connected tenant: with \`journals_only\`, the
platform's invoices, bills, payments and bank transactions are missing.**

The CSV has a row for each line. \`row_type\` is \`opening_balance\` (the first row of the first
page), \`line\`, or \`closing_balance\` (the last row of the last page). To get the ledger of the
whole period, join the pages and remove the repeated header lines. The header \`Next-Cursor\` has
the \`cursor\` of the next page.`,
  errors: ['tenant_not_found'],
  replyHeaders: {
    'Next-Cursor': '`cursor` of the next page, equal to `next_cursor`; absent on the last page.',
  },
  examples: [
    {
      name: 'The first page of a month',
      request: { ...request, limit: '1' },
      data: {
        ...exampleBooks,
        account: '1010',
        account_name: 'Bank Current Account',
        account_type: 'asset',
        from: '2026-03-01',
        to: '2026-03-31',
        balance_currency: 'EUR',
        opening_balance: '250.00',
        lines: [exampleLine],
        closing_balance: '1150.00',
        next_cursor: cursors.next({ ...request, limit: 1 }, { date: '2026-03-23' }),
      },
    },
    {
      name: 'The same account in dollars',
      request: { ...request, currency: 'USD' },
      data: {
        ...exampleBooks,
        account: '1010',
        account_name: 'Bank Current Account',
        account_type: 'asset',
        from: '2026-03-01',
        to: '2026-03-31',
        balance_currency: 'USD',
        opening_balance: '0.00',
        lines: [{ ...exampleLine, balance: '1159.60' }],
        closing_balance: '1159.60',
        next_cursor: null,
      },
    },
  ],
};
