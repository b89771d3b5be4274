// Lists the lines of an account by posting date, with the balance after each line.

import Big from 'big.js';
import { cursorNotValid } from '#shared/endpoint/page.view.ts';
import type { PostedEntries } from '#shared/entries/lists/posted-entries.store.ts';
import { type AmountFormat, amountFormatOf, formatAmount } from '#shared/money/amounts.ts';
import { accountHistoryOf, balancesIn, type LedgerLine } from '#shared/reports/account-ledger.ts';
import { createReportHandler, type ReportDependencies } from '#shared/reports/report.endpoint.ts';
import { booksViewOf } from '#shared/reports/report-books.service.ts';
import { readLedgerPage } from './read-page.ts';
import { csv, cursors, Data, Request } from './schema.ts';

export type Dependencies = ReportDependencies & {
  postedEntries: PostedEntries;
  sleep: (milliseconds: number) => Promise<unknown>;
  clock: () => Date;
};

/** An amount of an entry. Earlier versions recorded two decimals in every currency. */
const shown = (amount: string, currency: string): string => formatAmount(new Big(amount), currency);

const lineViewOf = (
  { entry, line, balance }: LedgerLine,
  format: AmountFormat,
): Data['lines'][number] => ({
  posting_date: entry.postingDate,
  journal_number: entry.journalNumber,
  journal_entry_id: entry.entryId,
  line_number: line.lineNumber,
  memo: entry.memo,
  description: line.description,
  debit: shown(line.bookDebit, entry.bookCurrency),
  credit: shown(line.bookCredit, entry.bookCurrency),
  balance: format(balance),
  transaction_currency: entry.transactionCurrency,
  transaction_debit: shown(line.debit, entry.transactionCurrency),
  transaction_credit: shown(line.credit, entry.transactionCurrency),
});

export const createHandler = ({ postedEntries, sleep, clock, ...dependencies }: Dependencies) =>
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
        const balanceCurrency = currency ?? books.tenant.currency;
        const format = amountFormatOf(balanceCurrency);
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
            ...booksViewOf(books, clock(), [{ from, to }]),
            account,
            account_name: name,
            account_type: type,
            from,
            to,
            balance_currency: balanceCurrency,
            opening_balance: format(opening),
            lines: lines.map((line) => lineViewOf(line, format)),
            closing_balance: format(closing),
            next_cursor: nextCursor,
          },
        };
      },
    },
    dependencies,
  );
