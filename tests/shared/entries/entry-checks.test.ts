import { describe, expect, test } from 'vitest';
import { assertBalanced, BooksDiffer } from '#shared/entries/entry-checks.ts';
import type { JournalLine } from '#shared/entries/journal-entry.ts';
import { expectedEntry } from '../../support/builders/journal-entry.ts';

const entry = { ...expectedEntry, journalNumber: 'MJ-20260320-0001' };
const withLine = (line: number, changes: Partial<JournalLine>) => ({
  ...entry,
  lines: entry.lines.map((it, index) => (index === line ? { ...it, ...changes } : it)),
});

describe('a recorded entry', () => {
  test('adds up', () => {
    expect(() => assertBalanced(entry)).not.toThrow();
  });

  test.each([
    ['a debit', withLine(0, { debit: '66.68' }), 'debit'],
    ['a credit', withLine(2, { credit: '100.01' }), 'credit'],
    ['a reporting debit', withLine(1, { reportingDebit: '38.66' }), 'reportingDebit'],
    ['a reporting credit', withLine(2, { reportingCredit: '0.00' }), 'reportingCredit'],
    ['a book debit', withLine(0, { bookDebit: '0.00' }), 'bookDebit'],
    ['a book credit', withLine(2, { bookCredit: '99.99' }), 'bookCredit'],
    ['its total', { ...entry, bookAmount: '100.01' }, 'bookDebit, bookCredit'],
    ['a whole line', { ...entry, lines: entry.lines.slice(1) }, 'debit, reportingDebit, bookDebit'],
  ])('does not where %s is another', (_, changed, sides) => {
    expect(() => assertBalanced(changed)).toThrow(
      new BooksDiffer(`MJ-20260320-0001 differs from its lines in ${sides}`),
    );
  });
});
