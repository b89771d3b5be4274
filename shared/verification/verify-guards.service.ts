// Verifies the guards of entries: each external id and each platform reference must lead to its
// entry. Without its guard, a repeated request would post the entry again. Entries do not name the
// Idempotency-Keys of their requests, but their sheets count the entries that such keys guard.

import { type JournalEntry, journalNumber } from '../entries/journal-entry.ts';
import type { RecordedBooks } from '../operator/recorded-books.store.ts';
import type { SheetName } from '../sheets/day-sheet.ts';
import { inBatches } from '../table/batches.ts';
import {
  externalIdKey,
  journalReferenceKey,
  type Key,
  keyText,
  readEntryKey,
  sheetKey,
  type TenantName,
} from '../table/keys.ts';
import { type Checked, checkedAs, type Difference, type Finding } from './differences.ts';

const batchSize = 100;

type ExpectedGuard = { guard: Key; entry: Key; what: string };

const guardsOf = (name: TenantName, key: Key, entry: JournalEntry): ExpectedGuard[] => {
  const { externalId } = entry;
  const guards = [
    ...(externalId === null ? [] : [externalIdKey(name, externalId)]),
    ...(entry.entryType === 'Imported Journal'
      ? [journalReferenceKey(name, entry.platformReference)]
      : []),
  ];
  return guards.map((guard) => ({ guard, entry: key, what: `guard of ${entry.journalNumber}` }));
};

/**
 * Reads all guards, which checks their authenticators, whether the entries of Idempotency-Keys
 * exist, and whether there are as many guarded entries as the sheets count. The sheets are read
 * first, so guards that are added meanwhile are no difference.
 */
export const verifyGuards = async (
  name: TenantName,
  { books }: { books: RecordedBooks },
): Promise<Checked> => {
  const differences: Difference[] = [];
  const missing = new Map<string, { of: SheetName; expected: number; missing: number }>();
  for await (const { keyedEntries: expected, ...of } of books.guards.keyedSheets(name)) {
    missing.set(sheetKey(name, of).sk, { of, expected, missing: expected });
  }
  const { add, flush } = inBatches<{ guard: string; entry: Key }>(batchSize, async (named) => {
    const items = await books.findItems(named.map(({ entry }) => entry));
    for (const { guard, entry } of named) {
      if (items.has(keyText(entry))) continue;
      const finding = {
        what: `entry of ${guard}`,
        expected: placeText(entry.sk),
        found: 'none',
      };
      differences.push({ date: null, series: null, ...finding });
    }
  });
  for await (const { sk, entries, recorded } of books.guards.list(name)) {
    for (const entry of entries) await add({ guard: sk, entry });
    for (const entry of recorded) {
      const counted = missing.get(sheetKey(name, readEntryKey(entry)).sk);
      if (counted) counted.missing -= 1;
    }
  }
  await flush();
  for (const { of, expected, missing: count } of missing.values()) {
    if (count <= 0) continue;
    const what = 'entries with the guard of an Idempotency-Key';
    differences.push({ ...of, what, expected: `${expected}`, found: `${expected - count}` });
  }
  return checkedAs(differences, false);
};

const placeText = (sk: unknown): string => {
  const { series, date, sequence } = readEntryKey({ sk: String(sk) });
  return Number.isInteger(sequence) ? journalNumber({ series, date, sequence }) : 'no entry';
};

/** Collects entries and checks their guards in batches. Call `flush` at the end. */
export const openGuards = (
  name: TenantName,
  { books, report }: { books: RecordedBooks; report: (finding: Finding) => void },
) => {
  const { add, flush } = inBatches<ExpectedGuard>(batchSize, async (expected) => {
    const items = await books.findItems(expected.map(({ guard }) => guard));
    for (const { guard, entry, what } of expected) {
      const found = items.get(keyText(guard))?.entrySk;
      if (found === entry.sk) continue;
      const shown = found === undefined ? 'none' : placeText(found);
      report({ what, expected: placeText(entry.sk), found: shown });
    }
  });
  return {
    flush,
    add: async (key: Key, entry: JournalEntry): Promise<void> => {
      for (const guard of guardsOf(name, key, entry)) await add(guard);
    },
  };
};
