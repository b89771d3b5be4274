// A platform's journal whose accounts are known, and the entry that is made of it.

import Big from 'big.js';
import { openImportedJournals } from '#shared/imports/imported-journals.store.ts';
import {
  type JournalToImport,
  type LineToImport,
  makeImportedJournal,
} from '#shared/imports/imported-journals.ts';
import type { JournalToRecord } from '#shared/imports/journal-guards.ts';
import type { TenantName } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

const bank = { code: '1010', name: 'Bank', lineClass: 'cash' } as const;
const revenue = { name: 'Service Revenue', lineClass: 'profit' } as const;

const resolvedLine = (
  account: LineToImport['account'],
  sides: { debit?: string; credit?: string },
): LineToImport => ({
  account,
  description: '',
  debit: new Big(sides.debit ?? 0),
  credit: new Big(sides.credit ?? 0),
  reportingAmount: null,
});
export const debit = (amount: string): LineToImport => resolvedLine(bank, { debit: amount });
export const credit = (amount: string, code = 'ID-4f1c'): LineToImport =>
  resolvedLine({ ...revenue, code }, { credit: amount });

export const journalToImport = (changes: Partial<JournalToImport> = {}): JournalToImport => ({
  reference: 'journal-1',
  date: '2026-03-20',
  memo: 'March consulting',
  currency: 'EUR',
  exchangeRate: null,
  lines: [debit('100'), credit('100')],
  ...changes,
});

/** The entry of a journal. @throws if the journal was refused */
export const entryOf = (made: ReturnType<typeof makeImportedJournal>) => {
  if ('rejected' in made) throw new Error(made.rejected);
  return made.entry;
};

/** An entry without a number, with these lines or `lineCount` lines. */
export const unnumbered = ({
  reference,
  date = '2026-03-20',
  lineCount = 2,
  text = '',
  lines = [credit(String(lineCount - 1)), ...Array<LineToImport>(lineCount - 1).fill(debit('1'))],
}: {
  reference: string;
  date?: string;
  lineCount?: number;
  /** The memo, and the description of every line. */
  text?: string;
  lines?: LineToImport[];
}): JournalToRecord['journal'] => {
  const journal = journalToImport({
    reference,
    date,
    lines: lines.map((line) => ({ ...line, description: text })),
    memo: text || reference,
  });
  const made = makeImportedJournal(journal, {
    tenantCurrency: 'EUR',
    createdAt: '2026-03-23T09:30:00.000Z',
  });
  return entryOf(made);
};

export const importJournals = (
  table: Table,
  name: TenantName,
  ...journals: Parameters<typeof unnumbered>[0][]
) =>
  openImportedJournals(table).record(
    name,
    journals.map((journal) => ({ journal: unnumbered(journal), origin: {} })),
  );
