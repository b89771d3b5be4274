// The content of an entry in replies and in its hash. A reply has everything that the hash covers.

import Big from 'big.js';
import type { JournalEntry, JournalLine } from './journal-entry.ts';

const isPositive = (amount: string): boolean => new Big(amount).gt(0);

const lineContentOf = (line: JournalLine) => ({
  line_number: line.lineNumber,
  account: line.account,
  account_name: line.accountName,
  description: line.description,
  debit: line.debit,
  credit: line.credit,
  reporting_debit: line.reportingDebit,
  reporting_credit: line.reportingCredit,
  book_debit: line.bookDebit,
  book_credit: line.bookCredit,
});

/** The fields that can change and are not part of the hash. */
type MutableField = 'status' | 'postedAt' | 'cancelledAt' | 'reversedBy' | 'hash';

export type EntryContent = Omit<JournalEntry, MutableField>;

export const contentOf = (entry: EntryContent) => ({
  journal_entry_id: entry.entryId,
  journal_number: entry.journalNumber,
  date: entry.date,
  posting_date: entry.postingDate,
  posting_sequence: entry.postingSequence,
  memo: entry.memo,
  entry_type: entry.entryType,
  accrual_date: entry.accrualDate,
  external_id: entry.externalId,
  user_id: entry.userId,
  transaction_currency: entry.transactionCurrency,
  transaction_amount: entry.transactionAmount,
  reporting_currency: entry.reportingCurrency,
  reporting_amount: entry.reportingAmount,
  reporting_amount_rounded_to_zero:
    isPositive(entry.transactionAmount) && !isPositive(entry.reportingAmount),
  exchange_rate: entry.exchangeRate,
  exchange_rate_date: entry.exchangeRateDate,
  exchange_rate_source: entry.exchangeRateSource,
  book_currency: entry.bookCurrency,
  book_amount: entry.bookAmount,
  book_exchange_rate: entry.bookExchangeRate,
  metadata: entry.metadata,
  reverses: entry.reverses,
  created_at: entry.createdAt,
  transactions: entry.lines.map(lineContentOf),
  bank_reconciliation_id: null,
});
