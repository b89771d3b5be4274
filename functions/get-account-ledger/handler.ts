// Lists the lines of an account in the order of their posting dates, with its balance after each.

import { createApiHandler } from '#shared/endpoint/api.ts';
import type { PostedEntries } from '#shared/entries/lists/posted-entries.store.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { formatHundredths } from '#shared/money/hundredths.ts';
import { accountHistoryOf, type LedgerLine } from '#shared/reports/account-ledger.ts';
import { booksViewOf, type ReportBooks } from '#shared/reports/report-books.service.ts';
import { readLedgerPage } from './read-page.ts';
import { csv, cursors, Data, Request } from './schema.ts';

export type Dependencies = {
  reportBooks: ReportBooks;
  postedEntries: PostedEntries;
  sleep: (milliseconds: number) => Promise<unknown>;
  log: Log;
  metrics: Metrics;
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

export const createHandler = ({ reportBooks, log, metrics, ...page }: Dependencies) =>
  createApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      csv,
      handle: async ({ caller: { applicationId }, input }) => {
        const { domain_url: domain, account, from, to, limit } = input;
        const position = cursors.positionOf(input);
        const books = await reportBooks.readAccount({ applicationId, domain }, { to, account });
        const { name, type } = books.account;
        const history = accountHistoryOf(books.sheets, { account, from });
        const asked = { name: books.name, account, history, position, limit };
        const { lines, next } = await readLedgerPage(page, asked);
        const nextCursor = cursors.next(input, next);
        return {
          ...(nextCursor !== null && { headers: { 'Next-Cursor': nextCursor } }),
          data: {
            ...booksViewOf(books),
            ...{ account, account_name: name, account_type: type, from, to },
            opening_balance: formatHundredths(history.opening),
            lines: lines.map(lineViewOf),
            closing_balance: formatHundredths(history.closing),
            next_cursor: nextCursor,
          },
        };
      },
      storeProblems: ({ caller: { applicationId }, input }) =>
        reportBooks.problemsOf(applicationId, input),
    },
    { log, metrics },
  );
