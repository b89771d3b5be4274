// Books as comma-separated values: a row for each line of an entry, with all that the entry says.

import type { Account } from '#shared/domain/accounts.ts';
import type { JournalEntry, JournalLine } from '#shared/domain/entries/journal-entry.ts';
import { asNoFormula, csvRow } from './export-texts.ts';

type Row = { entry: JournalEntry; line: JournalLine; account: Account };

const text = (value: string | null): string => asNoFormula(value ?? '');

/** The columns by their names. What callers wrote is shown as no formula. */
const columns: Record<string, (row: Row) => string | number | null> = {
  posting_date: ({ entry }) => entry.postingDate,
  posting_sequence: ({ entry }) => entry.postingSequence,
  journal_number: ({ entry }) => entry.journalNumber,
  journal_entry_id: ({ entry }) => entry.entryId,
  date: ({ entry }) => entry.date,
  accrual_date: ({ entry }) => entry.accrualDate,
  entry_type: ({ entry }) => entry.entryType,
  memo: ({ entry }) => text(entry.memo),
  external_id: ({ entry }) => text(entry.externalId),
  user_id: ({ entry }) => entry.userId,
  created_at: ({ entry }) => entry.createdAt,
  posted_at: ({ entry }) => entry.postedAt,
  line_number: ({ line }) => line.lineNumber,
  account: ({ line }) => text(line.account),
  account_name: ({ account }) => text(account.name),
  account_type: ({ account }) => account.type,
  description: ({ line }) => text(line.description),
  transaction_currency: ({ entry }) => entry.transactionCurrency,
  debit: ({ line }) => line.debit,
  credit: ({ line }) => line.credit,
  book_currency: ({ entry }) => entry.bookCurrency,
  book_debit: ({ line }) => line.bookDebit,
  book_credit: ({ line }) => line.bookCredit,
  book_exchange_rate: ({ entry }) => entry.bookExchangeRate,
  reporting_currency: ({ entry }) => entry.reportingCurrency,
  reporting_debit: ({ line }) => line.reportingDebit,
  reporting_credit: ({ line }) => line.reportingCredit,
  exchange_rate: ({ entry }) => entry.exchangeRate,
  exchange_rate_date: ({ entry }) => entry.exchangeRateDate,
  exchange_rate_source: ({ entry }) => entry.exchangeRateSource,
  hash: ({ entry }) => entry.hash,
};

export const csvHead = (): string => csvRow(Object.keys(columns));

export const csvRowsOf = (entry: JournalEntry, accountOf: (code: string) => Account): string =>
  entry.lines
    .map((line) => {
      const row = { entry, line, account: accountOf(line.account) };
      return csvRow(Object.values(columns).map((column) => column(row)));
    })
    .join('');
