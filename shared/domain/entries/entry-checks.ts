// What must hold of a recorded entry by itself. Whoever reads one looks at this first, so that a
// change behind the ledger's back is an error, and never a wrong figure.

import Big from 'big.js';
import { sumOf } from '../amounts.ts';
import type { JournalEntry, JournalLine } from './journal-entry.ts';

/**
 * The books contradict themselves. No request can bring that about, and none can mend it: its
 * caller is told of an internal error, and an alarm goes off. The message is for the log.
 */
export class BooksDiffer extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BooksDiffer';
  }
}

type Side = keyof JournalLine & (`${string}ebit` | `${string}redit`);

/** The sides of the lines by the total of the entry that each of them adds up to. */
const sidesByTotal = {
  transactionAmount: ['debit', 'credit'],
  reportingAmount: ['reportingDebit', 'reportingCredit'],
  bookAmount: ['bookDebit', 'bookCredit'],
} as const satisfies Partial<Record<keyof JournalEntry, readonly Side[]>>;

type CheckedEntry = Pick<JournalEntry, 'journalNumber' | 'lines' | keyof typeof sidesByTotal>;

/**
 * Demands that both sides of an entry's lines come to its totals: in the currency of the
 * transaction, in the reporting currency and in that of the books. Its hash is another matter: it
 * needs that of the entry before it.
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
