// The filter of a list of entries: which entries match, and on which dates some may.

import { mayHaveFiled, type NamedSheet } from '../../sheets/day-sheet.ts';
import type { JournalEntry, JournalSeries } from '../journal-entry.ts';

export type EntryFilter = {
  status?: JournalEntry['status'] | undefined;
  entryType?: JournalEntry['entryType'] | undefined;
  /** Only entries with a line on this account. */
  account?: string | undefined;
  /** The number of this account, if it has one. */
  accountNumber?: number | undefined;
};

type FilteredFields = Pick<JournalEntry, 'status' | 'entryType'> & {
  lines: readonly Pick<JournalEntry['lines'][number], 'account'>[];
};

export const isMatch = (
  { status, entryType, account }: EntryFilter,
  entry: FilteredFields,
): boolean =>
  (status === undefined || entry.status === status) &&
  (entryType === undefined || entry.entryType === entryType) &&
  (account === undefined || entry.lines.some((line) => line.account === account));

const entryTypeOf = { IJ: 'Imported Journal', MJ: 'Manual Journal' } as const satisfies Record<
  JournalSeries,
  JournalEntry['entryType']
>;

/** Whether day sheets can exclude entries. Most dates have posted entries. */
export const isOfSomeDates = ({ entryType, account }: EntryFilter): boolean =>
  entryType !== undefined || account !== undefined;

/** Whether entries filed on a sheet can match. */
export const mayMatchOn = (
  { entryType, account, accountNumber }: EntryFilter,
  sheet: Omit<NamedSheet, 'date'>,
): boolean =>
  sheet.lastSequence > 0 &&
  (entryType === undefined || entryType === entryTypeOf[sheet.series]) &&
  (account === undefined || mayHaveFiled(sheet, { code: account, number: accountNumber }));

/** Whether an item that names an entry may name a match. Some have no accounts. */
export const mayMatchName = (
  { account, entryType }: EntryFilter,
  { accounts }: { accounts?: unknown },
): boolean =>
  entryType !== 'Imported Journal' &&
  (account === undefined || typeof accounts !== 'string' || accounts.split('\n').includes(account));
