// Lists the lines of an account by posting date, with the balance after each line.

import type { PostedEntries } from '#shared/entries/lists/posted-entries.store.ts';
import { formatHundredths } from '#shared/money/hundredths.ts';
import { accountHistoryOf, balancesIn, type LedgerLine } from '#shared/reports/account-ledger.ts';
import { createReportHandler, type ReportDependencies } from '#shared/reports/report.endpoint.ts';
import { booksViewOf } from '#shared/reports/report-books.service.ts';
import { cursorNotValid, readLedgerPage } from './read-page.ts';
import { csv, cursors, Data, Request } from './schema.ts';

export type Dependencies = ReportDependencies & {
  postedEntries: PostedEntries;
  sleep: (milliseconds: number) => Promise<unknown>;
};

const lineViewOf = ({ entry, line, balance }: LedgerLine): Data['lines'][number] => ({
  posting_date: entry.postingDate,
  journal_number: entry.journalNumber,
  journal_entry_id: entry.entryId,
  line_number: line.lineNumber,
  memo: entry.memo,
  description: line.description,
  debit: line.bookDebit,
  credit: line.bookCredit,
  balance: formatHundredths(balance),
  transaction_currency: entry.transactionCurrency,
  transaction_debit: line.debit,
  transaction_credit: line.credit,
});

export const createHandler = ({ postedEntries, sleep, ...dependencies }: Dependencies) =>
  createReportHandler(
    {
      request: Request,
      data: Data,
      csv,
      handle: async ({ tenant, input }) => {
        const { account, from, to, limit } = input;
        const position = cursors.positionOf(input);
        const start = position?.date ?? from;
        if (start < from || start > to) throw cursorNotValid();
        const range = { account, start, from, to };
        const books = await dependencies.reportBooks.readDays(tenant, range);
        const { name, type } = books.account;
        const currency = input.currency === books.tenant.currency ? null : (input.currency ?? null);
        const selection = { account, currency };
        const history = accountHistoryOf(books, currency);
        const { opening, closing } = books.period
          ? balancesIn(books.period, selection)
          : { opening: history.opening, closing: history.closing };
        const { lines, next } = await readLedgerPage(
          { postedEntries, sleep },
          { name: books.name, selection, history, position, limit },
        );
        const nextCursor = cursors.next(input, next);
        return {
          ...(nextCursor !== null && { headers: { 'Next-Cursor': nextCursor } }),
          data: {
            ...booksViewOf(books),
            account,
            account_name: name,
            account_type: type,
            from,
            to,
            balance_currency: currency ?? books.tenant.currency,
            opening_balance: formatHundredths(opening),
            lines: lines.map(lineViewOf),
            closing_balance: formatHundredths(closing),
            next_cursor: nextCursor,
          },
        };
      },
    },
    dependencies,
  );
