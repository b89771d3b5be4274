import { expect, test } from 'vitest';
import { assertBalanced, BooksDiffer } from '#shared/entries/entry-checks.ts';
import type { JournalLine } from '#shared/entries/journal-entry.ts';
import { expectedEntry } from '../../support/builders/journal-entry.ts';

const entry = { ...expectedEntry, journalNumber: 'MJ-20260320-0001' };
const withLine = (line: number, changes: Partial<JournalLine>) => ({
  ...entry,
  lines: entry.lines.map((it, index) => (index === line ? { ...it, ...changes } : it)),
});

test.each([
  [withLine(0, { debit: '66.68' }), 'debit'],
  [withLine(2, { credit: '100.01' }), 'credit'],
  [withLine(1, { reportingDebit: '38.66' }), 'reportingDebit'],
  [withLine(2, { reportingCredit: '0.00' }), 'reportingCredit'],
  [withLine(0, { bookDebit: '0.00' }), 'bookDebit'],
  [withLine(2, { bookCredit: '99.99' }), 'bookCredit'],
  [{ ...entry, bookAmount: '100.01' }, 'bookDebit, bookCredit'],
  [{ ...entry, lines: entry.lines.slice(1) }, 'debit, reportingDebit, bookDebit'],
])('an entry that does not add up is refused: case %#, in %s', (changed, sides) => {
  expect(() => assertBalanced(entry)).not.toThrow();
  expect(() => assertBalanced(changed)).toThrow(
    new BooksDiffer(`MJ-20260320-0001 differs from its lines in ${sides}`),
  );
});
