// Consistency checks of recorded entries. They run on every read, so that data changed outside the
// ledger causes an error and never a wrong figure.

import Big from 'big.js';
import { sumOf } from '../money/amounts.ts';
import type { JournalEntry, JournalLine } from './journal-entry.ts';

/**
 * The books are inconsistent. No request can cause or repair this. The caller gets an internal
 * error and an alarm goes off; only the log has the message.
 */
export class BooksDiffer extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BooksDiffer';
  }
}

type Side = keyof JournalLine & (`${string}ebit` | `${string}redit`);

/** The line fields that must add up to each total of the entry. */
const sidesByTotal = {
  transactionAmount: ['debit', 'credit'],
  reportingAmount: ['reportingDebit', 'reportingCredit'],
  bookAmount: ['bookDebit', 'bookCredit'],
} as const satisfies Partial<Record<keyof JournalEntry, readonly Side[]>>;

type CheckedEntry = Pick<JournalEntry, 'journalNumber' | 'lines' | keyof typeof sidesByTotal>;

/**
 * Checks that debits and credits add up to the totals of the entry in the transaction, reporting
 * and book currency. Does not check the hash, which needs the previous entry.
 * @throws BooksDiffer
 */
export const assertBalanced = ({ journalNumber, lines, ...totals }: CheckedEntry): void => {
  const differing = Object.entries(sidesByTotal).flatMap(([total, sides]) => {
    const expected = new Big(totals[total as keyof typeof sidesByTotal]);
    return sides.filter((side) => !sumOf(lines.map((line) => new Big(line[side]))).eq(expected));
  });
  if (differing.length === 0) return;
  throw new BooksDiffer(`${journalNumber} differs from its lines in ${differing.join(', ')}`);
};
