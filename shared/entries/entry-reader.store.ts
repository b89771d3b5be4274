// Reads recorded entries with all their lines. The items of a transaction that was just committed
// become visible one by one, so an entry may be incomplete for a moment.

import { ApiError } from '../errors.ts';
import { entryKeyOfItem, type Key } from '../table/keys.ts';
import { type ContentionBudget, retryOnContention } from '../table/retry.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import type { Item, Table } from '../table/table.ts';
import { BooksDiffer } from './entry-checks.ts';
import { readEntry } from './entry-items.store.ts';
import type { JournalEntry } from './journal-entry.ts';

/** The items of a transaction become visible much sooner. */
const maximumReadingMilliseconds = 3_000;

export type EntryReader = ReturnType<typeof openEntryReader>;

/** The entry in these items; undefined if some of its items are missing. */
const entryIn = ({ sk }: Key, items: readonly Item[]): JournalEntry | undefined =>
  items[0]?.sk === sk ? readEntry(items) : undefined;

export const openEntryReader = (table: Pick<Table, 'query'>) => {
  /**
   * Finds an entry in the items that were read already, or else by one query.
   * @returns undefined if some of its items are missing
   */
  const find = async (key: Key, items: readonly Item[] = []): Promise<JournalEntry | undefined> =>
    entryIn(key, items) ?? entryIn(key, await table.query(prefixRange(key.pk, key.sk)));

  return {
    find,

    /**
     * Reads an existing entry, and repeats this until all of its items are visible.
     * @throws ApiError `contention` if the budget is used up
     */
    getWithin: (key: Key, budget: ContentionBudget): Promise<JournalEntry> =>
      retryOnContention(() => find(key), budget),

    /**
     * Reads an existing entry, for callers that write nothing.
     * @throws BooksDiffer if items are still missing after `maximumReadingMilliseconds`
     */
    get: async (key: Key, items: readonly Item[] = []): Promise<JournalEntry> => {
      const complete = entryIn(key, items);
      if (complete) return complete;
      try {
        return await retryOnContention(() => find(key), {
          milliseconds: maximumReadingMilliseconds,
        });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'contention') throw error;
        throw new BooksDiffer(`some items of ${key.sk} are missing`);
      }
    },
  };
};

/** The items of entries, in groups of one entry each. */
export type EntryGroup = { key: Key; items: Item[] };

/**
 * Groups items that are in the order of their keys, or in reverse. The groups' items are in order.
 */
export const groupByEntry = (items: readonly Item[]): EntryGroup[] => {
  const groups: EntryGroup[] = [];
  for (const item of items) {
    const key = entryKeyOfItem(item);
    const last = groups.at(-1);
    if (last?.key.sk === key.sk) last.items.push(item);
    else groups.push({ key, items: [item] });
  }
  for (const { items: own } of groups) own.sort((a, b) => (String(a.sk) < String(b.sk) ? -1 : 1));
  return groups;
};
