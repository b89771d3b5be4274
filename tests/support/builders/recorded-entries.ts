// Records an entry by itself, as if its dates had no sheets yet: the table says where they do.

import { emptySheet } from '#shared/domain/entries/day-sheet.ts';
import {
  type SheetsByDate,
  sheetDatesOf,
  type UnrecordedEntry,
} from '#shared/store/entry-recording.ts';
import type {
  JournalEntries,
  RecordedEntry,
  RecordOptions,
} from '#shared/store/journal-entries.ts';
import type { TenantName } from '#shared/store/keys.ts';

/** The sheets that are read for an entry, all of them empty. */
const emptySheetsOf = (entry: UnrecordedEntry): SheetsByDate => {
  const dates = sheetDatesOf([entry]);
  return new Map(dates.map((date) => [date, emptySheet]));
};

export const recordEntry = async (
  journalEntries: Pick<JournalEntries, 'record'>,
  name: TenantName,
  entry: UnrecordedEntry,
  options: Partial<RecordOptions> = {},
): Promise<RecordedEntry> => {
  const [recorded] = await journalEntries.record(name, [{ entry }], {
    ...{ sheets: emptySheetsOf(entry), users: new Map(), idempotencyKey: undefined },
    ...{ isBatch: false, ...options },
  });
  if (recorded === undefined) throw new Error('nothing was recorded');
  return recorded;
};
