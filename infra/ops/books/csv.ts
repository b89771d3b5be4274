// The CSV export of books: one row for each line of an entry.

import type { Account } from '#shared/accounts/accounts.ts';
import type { JournalEntry, JournalLine } from '#shared/entries/journal-entry.ts';
import { type CsvColumns, csvHead, csvNumber, csvRow } from '#shared/reports/csv.ts';

type Row = { entry: JournalEntry; line: JournalLine; account: Account };

/** JSON, or empty. The leading brace keeps spreadsheets from reading it as a formula. */
const metadataText = ({ metadata }: JournalEntry): string =>
  Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata);

const columns: CsvColumns<Row> = {
  posting_date: ({ entry }) => entry.postingDate,
  posting_sequence: ({ entry }) => entry.postingSequence,
  journal_number: ({ entry }) => entry.journalNumber,
  journal_entry_id: ({ entry }) => entry.entryId,
  date: ({ entry }) => entry.date,
  accrual_date: ({ entry }) => entry.accrualDate,
  entry_type: ({ entry }) => entry.entryType,
  memo: ({ entry }) => entry.memo,
  external_id: ({ entry }) => entry.externalId,
  user_id: ({ entry }) => entry.userId,
  created_at: ({ entry }) => entry.createdAt,
  posted_at: ({ entry }) => entry.postedAt,
  line_number: ({ line }) => line.lineNumber,
  account: ({ line }) => line.account,
  account_name: ({ account }) => account.name,
  account_type: ({ account }) => account.type,
  description: ({ line }) => line.description,
  transaction_currency: ({ entry }) => entry.transactionCurrency,
  debit: ({ line }) => csvNumber(line.debit),
  credit: ({ line }) => csvNumber(line.credit),
  book_currency: ({ entry }) => entry.bookCurrency,
  book_debit: ({ line }) => csvNumber(line.bookDebit),
  book_credit: ({ line }) => csvNumber(line.bookCredit),
  book_exchange_rate: ({ entry }) => csvNumber(entry.bookExchangeRate),
  reporting_currency: ({ entry }) => entry.reportingCurrency,
  reporting_debit: ({ line }) => csvNumber(line.reportingDebit),
  reporting_credit: ({ line }) => csvNumber(line.reportingCredit),
  exchange_rate: ({ entry }) => csvNumber(entry.exchangeRate),
  exchange_rate_date: ({ entry }) => entry.exchangeRateDate,
  exchange_rate_source: ({ entry }) => entry.exchangeRateSource,
  reverses: ({ entry }) => entry.reverses,
  reversed_by: ({ entry }) => entry.reversedBy,
  metadata: ({ entry }) => metadataText(entry),
  hash: ({ entry }) => entry.hash,
};

export const entriesHead = (): string => csvHead(columns);

export const entryRows = (entry: JournalEntry, accountOf: (code: string) => Account): string =>
  entry.lines
    .map((line) => csvRow(columns, { entry, line, account: accountOf(line.account) }))
    .join('');
