// The hash chain of the entries that count on a date. Each hash covers the entry and the previous
// hash, so any change, insertion, removal or reordering changes the last hash.

import Big from 'big.js';
import { canonicalJson, sha256 } from '../canonical-json.ts';
import type { JournalEntry, JournalLine } from './journal-entry.ts';

/** The previous hash of the first entry in a chain. */
export const noHash = '0'.repeat(64);

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
  line_class: line.lineClass,
  // Only lines of revaluations have it, so the hashes of all others stay.
  ...(line.revaluedCurrency !== undefined && { revalued_currency: line.revaluedCurrency }),
});

/** The version of the hashes of new entries. Entries of formats before 6 have version 1. */
export const hashVersion = 2 as const;

/** The fields that can change after an entry has its hash. */
type MutableField =
  | 'status'
  | 'cancelledAt'
  | 'cancelledWithKey'
  | 'reversedBy'
  | 'hash'
  | 'hashVersion';

type EntryContent = Omit<JournalEntry, MutableField>;

/** The content of an entry in its hash and in replies. */
export const contentOf = (entry: EntryContent) => ({
  ...firstContentOf(entry),
  created_with_key: entry.createdWithKey,
  posted_at: entry.postedAt,
  transactions: entry.lines.map(lineContentOf),
});

/** The content that hashes of version 1 cover. */
const firstContentOf = (entry: EntryContent) => ({
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
  // Only entries with a rate of the caller have it, so the hashes of all others stay.
  ...(entry.knownExchangeRate !== undefined && { known_exchange_rate: entry.knownExchangeRate }),
  book_currency: entry.bookCurrency,
  book_amount: entry.bookAmount,
  book_exchange_rate: entry.bookExchangeRate,
  metadata: entry.metadata,
  reverses: entry.reverses,
  created_at: entry.createdAt,
  transactions: entry.lines.map(lineContentOf).map(({ line_class: _, ...line }) => line),
  bank_reconciliation_id: null,
});

/**
 * @param previous the hash of the previous entry in the chain, 64 hex digits
 * @param version that of the entry's own hash; new entries have the latest
 */
export const hashOf = (
  entry: EntryContent,
  previous: string,
  version: JournalEntry['hashVersion'] = hashVersion,
): string => {
  const content = version === 1 ? firstContentOf(entry) : contentOf(entry);
  return sha256(`v${version}\n${previous}\n${canonicalJson(content)}`);
};

/**
 * The hash of a scheduled entry, outside of any chain. It shows a change before the entry posts.
 */
export const hashOfScheduled = (entry: EntryContent): string => hashOf(entry, noHash);

/** The chain of a date: the number of entries that count on it, and the hash of the last one. */
export type ChainHead = { date: string; series: string; counted: number; head: string };

/** The hashes of the chains of each month with entries, by month, as YYYY-MM. */
export type MonthHashes = ReadonlyMap<string, string>;

/** @param chains all chains of each month, in any order */
export const monthHashesOf = (chains: readonly ChainHead[]): MonthHashes => {
  const lines = new Map<string, string[]>();
  for (const { date, series, counted, head } of chains) {
    if (counted === 0) continue;
    const month = date.slice(0, 7);
    const ofMonth = lines.get(month) ?? [];
    ofMonth.push(`${date}\t${series}\t${counted}\t${head}\n`);
    lines.set(month, ofMonth);
  }
  return new Map([...lines].map(([month, it]) => [month, sha256(it.sort().join(''))]));
};

/**
 * The digest of the entries that count in these months. It changes only if an entry is posted in
 * one of them; scheduling an entry does not change it.
 */
export const digestOfMonths = (months: MonthHashes): string =>
  sha256(
    [...months]
      .map(([month, hash]) => `${month}\t${hash}\n`)
      .sort()
      .join(''),
  );

/** The digest of the entries that count on these dates. */
export const digestOf = (chains: readonly ChainHead[]): string =>
  digestOfMonths(monthHashesOf(chains));
