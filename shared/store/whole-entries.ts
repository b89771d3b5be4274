// A recorded entry with all its lines. Outside a transaction, the items of one that has just been
// committed show up one by one.

import { BooksDiffer } from '../domain/entries/entry-checks.ts';
import type { JournalEntry } from '../domain/entries/journal-entry.ts';
import { ApiError } from '../errors.ts';
import { readEntry } from './entry-items.ts';
import type { Key } from './keys.ts';
import { type ContentionBudget, retryOnContention } from './retry.ts';
import { prefixRange } from './sort-ranges.ts';
import type { Table } from './table.ts';

type EntryTable = Pick<Table, 'query'>;

/** Reads an entry in one query; `undefined` where some of its items are missing. */
export const findWhole = async (
  table: EntryTable,
  { pk, sk }: Key,
): Promise<JournalEntry | undefined> => readEntry(await table.query(prefixRange(pk, sk)));

/** Reads an entry that is there, again and again until all of its items are. */
export const awaitWhole = (
  table: EntryTable,
  key: Key,
  budget: ContentionBudget,
): Promise<JournalEntry> => retryOnContention(() => findWhole(table, key), budget);

/** Much longer than it takes the items of a transaction to show up. */
const readingMilliseconds = 3_000;

/**
 * The same for whoever reads, not posts: nobody else's writes stand in the way.
 * @throws BooksDiffer where items are missing for so long that they must be lost
 */
export const getWhole = async (table: EntryTable, key: Key): Promise<JournalEntry> => {
  try {
    return await awaitWhole(table, key, { milliseconds: readingMilliseconds });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'contention') throw error;
    throw new BooksDiffer(`some items of ${key.sk} are missing`);
  }
};
