// The hash of an entry, made a second time as a customer would make it: of the reply that shows the
// entry, as JSON with sorted names and no white space (RFC 8785), chained to the hash before it.

import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { digitsOf, type Line, type StoredEntry } from './stored-entries.ts';

export const noHash = ''.padEnd(64, '0');

type Reply = Record<string, unknown>;

/** JSON with sorted names and no white space (RFC 8785). */
export const canonicalText = (value: unknown): string => canonicalize(value) ?? '';

/** The hash of an entry as a reply shows it, after an entry of the hash `previous`. */
export const hashOfReply = (reply: Reply, previous: string): string => {
  const { status: _status, hash: _hash, hash_version: version, ...lasting } = reply;
  const { cancelled_at: _cancelledAt, reversed_by: _reversedBy, ...content } = lasting;
  const { posted_at: _postedAt, created_with_key: _key, transactions, ...first } = content;
  const lines = (transactions as Reply[]).map(({ line_class: _class, ...line }) => line);
  const covered = version === 1 ? { ...first, transactions: lines } : content;
  const text = [`v${version}`, previous, canonicalText(covered)].join('\n');
  return createHash('sha256').update(text, 'utf8').digest('hex');
};

const shownLine = (line: Line): Reply => ({
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
  line_class: line.lineClass,
  ...(line.revaluedCurrency !== undefined && { revalued_currency: line.revaluedCurrency }),
});

/** An entry of the table as a reply shows it. */
export const shownEntry = (entry: StoredEntry): Reply => ({
  journal_entry_id: entry.entryId,
  journal_number: entry.journalNumber,
  date: entry.date,
  posting_date: entry.postingDate,
  accrual_date: entry.accrualDate,
  posting_sequence: entry.postingSequence ?? null,
  hash: entry.hash ?? null,
  hash_version: entry.hashVersion ?? 1,
  memo: entry.memo,
  entry_type: entry.entryType,
  status: entry.status,
  external_id: entry.externalId,
  user_id: entry.userId,
  transaction_currency: entry.transactionCurrency,
  transaction_amount: entry.transactionAmount,
  reporting_currency: entry.reportingCurrency,
  reporting_amount: entry.reportingAmount,
  reporting_amount_rounded_to_zero:
    digitsOf(entry.transactionAmount) > 0n && digitsOf(entry.reportingAmount) === 0n,
  exchange_rate: entry.exchangeRate,
  exchange_rate_date: entry.exchangeRateDate,
  exchange_rate_source: entry.exchangeRateSource,
  ...(entry.knownExchangeRate !== undefined && { known_exchange_rate: entry.knownExchangeRate }),
  book_currency: entry.bookCurrency,
  book_amount: entry.bookAmount,
  book_exchange_rate: entry.bookExchangeRate,
  metadata: entry.metadata ?? {},
  reverses: entry.reverses ?? null,
  reversed_by: entry.reversedBy ?? null,
  cancelled_at: entry.cancelledAt ?? null,
  created_at: entry.createdAt,
  created_with_key: entry.createdWithKey,
  posted_at: entry.postedAt,
  transactions: entry.lines.map(shownLine),
  bank_reconciliation_id: null,
});
