// Entries in the order of a date, one after the other: of what is filed, or of what is scheduled.

import type { JournalEntry } from '../domain/entries/journal-entry.ts';
import {
  filedBounds,
  type ListPosition,
  type ListRange,
  type SortBounds,
  scheduledBounds,
  scheduledDateOf,
} from './entry-bounds.ts';
import { readEntry } from './entry-items.ts';
import {
  entryKey,
  entryKeyUnderDate,
  type Key,
  keyText,
  readEntryKey,
  type TenantName,
  tenantKey,
} from './keys.ts';
import { readPage } from './pages.ts';
import type { Item, Table } from './table.ts';
import { getWhole } from './whole-entries.ts';

/**
 * An entry of a list. There is none where it has left the list since it was found in it. `isLast`
 * says that nothing follows; a list that ends without it has only been read so far.
 */
export type ListedEntry = {
  position: ListPosition;
  entry: JournalEntry | undefined;
  isLast: boolean;
};

/**
 * A call of a query reads a megabyte at most (DynamoDB API Reference, "Query"), so a list is read
 * no further than eight at a time.
 */
const maximumCalls = 8;

/** How many times the items that are missing a call reads more than the one before it. */
const growth = 4;

/** So many scheduled entries are read at once: ten megabytes, where their texts are the longest. */
const maximumBatch = 50;

export type EntryLists = ReturnType<typeof openEntryLists>;

export const openEntryLists = (table: Table) => {
  /** Reads an entry by itself where not all of it was found: that can be so for a moment only. */
  const wholeOf = async (key: Key, items: readonly Item[]): Promise<JournalEntry> =>
    wholeIn(key, items) ?? getWhole(table, key);

  async function* readFiled(
    name: TenantName,
    range: ListRange,
    missing: () => number,
  ): AsyncGenerator<ListedEntry> {
    const { pk } = tenantKey(name);
    const query = queryOf(pk, filedBounds(name, range), range);
    let from: Item | undefined;
    /** The last entry of a call: more of it may follow, and else whether another one does. */
    let begun: Item[] = [];
    for (let call = 0; query && call < maximumCalls; call += 1) {
      // One more than is missing shows whether the list goes on.
      const Limit = (missing() + 1) * growth ** call;
      const page = await table.queryPage({ ...query, Limit }, from);
      const groups = groupByEntry(name, [...begun, ...page.items]);
      begun = (page.next && groups.pop()?.items) ?? [];
      for (const [index, { key, items }] of groups.entries()) {
        const place = readEntryKey(key);
        const entry = await wholeOf(key, items);
        const isLast = page.next === undefined && index === groups.length - 1;
        yield { position: { date: place.date, place }, entry, isLast };
      }
      from = page.next;
      if (from === undefined) return;
    }
  }

  async function* readScheduled(
    name: TenantName,
    range: ListRange,
    missing: () => number,
  ): AsyncGenerator<ListedEntry> {
    const { pk } = tenantKey(name);
    const query = queryOf(pk, scheduledBounds(name, range), range);
    let after: Key | undefined;
    for (let call = 0; query && call < maximumCalls; call += 1) {
      const limit = Math.min(missing() * growth ** call, maximumBatch);
      const { items: names, next } = await readPage(table, query, { limit, after });
      const found = names.map((it) => {
        const item = it as Key;
        return { key: entryKeyUnderDate(item), date: scheduledDateOf(item) };
      });
      const headers = await table.getMany(found.map(({ key }) => key));
      for (const [index, { key, date }] of found.entries()) {
        const header = headers.get(keyText(key));
        const entry = await wholeOf(key, header ? [header] : []);
        yield {
          position: { date, place: readEntryKey(key) },
          // It may have been posted since it was named.
          entry: entry.status === 'scheduled' ? entry : undefined,
          isLast: next === undefined && index === found.length - 1,
        };
      }
      after = next;
      if (after === undefined) return;
    }
  }

  return {
    /**
     * Yields entries by the date under which they are filed, and by their numbers within it.
     *
     * @param missing how many are still wanted, which decides how many items a call reads
     */
    filed: readFiled,

    /**
     * Yields scheduled entries by their posting dates. It costs what is scheduled, and no more: a
     * read unit for each entry of up to 4 KB, and one for each forty items that name them.
     *
     * @param missing how many are still wanted
     */
    scheduled: readScheduled,
  };
};

/** `undefined` where nothing can be there: a query must not have its bounds the wrong way round. */
const queryOf = (pk: string, { first, last }: SortBounds, { order }: ListRange) =>
  first <= last
    ? {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
        ScanIndexForward: order === 'asc',
      }
    : undefined;

/** The entry with this key, where all its items are there. */
const wholeIn = (key: Key, items: readonly Item[]): JournalEntry | undefined => {
  const inOrder = items.toSorted((one, other) => (String(one.sk) < String(other.sk) ? -1 : 1));
  return inOrder[0]?.sk === key.sk ? readEntry(inOrder) : undefined;
};

/** The items of each entry, which follow each other in both orders. */
const groupByEntry = (name: TenantName, items: readonly Item[]): { key: Key; items: Item[] }[] => {
  const groups: { key: Key; items: Item[] }[] = [];
  for (const item of items) {
    const key = entryKey(name, readEntryKey(item as Key));
    const last = groups.at(-1);
    if (last?.key.sk === key.sk) last.items.push(item);
    else groups.push({ key, items: [item] });
  }
  return groups;
};
