// Entries in the order of a date, one after the other: of what is filed, or of what is scheduled.

import {
  entryKeyUnderDate,
  type Key,
  keyText,
  readEntryKey,
  type TenantName,
  tenantKey,
} from '../../table/keys.ts';
import { meterUsage } from '../../table/metering.ts';
import { openPageBudget, type PageBounds, readPage } from '../../table/pages.ts';
import type { Item, Table } from '../../table/table.ts';
import { groupByEntry, openEntryReader } from '../entry-reader.store.ts';
import type { JournalEntry } from '../journal-entry.ts';
import {
  filedBounds,
  type ListPosition,
  type ListRange,
  type SortBounds,
  scheduledBounds,
  scheduledDateOf,
} from './entry-bounds.store.ts';

/**
 * An entry of a list. There is none where it has left the list since it was found in it. `isLast`
 * says that nothing follows; a list that ends without it has only been read so far.
 */
export type ListedEntry = {
  position: ListPosition;
  entry: JournalEntry | undefined;
  isLast: boolean;
};

/** Ordinary entries of two lines are of 900 bytes: a page that finds none costs some 32 units. */
const filedPage: PageBounds = { items: 100, bytes: 80_000 };

/** Each scheduled entry is read by its own key, for one read unit at least. */
const scheduledPage: PageBounds = { items: 25, bytes: 120_000 };

/** So many scheduled entries are read at once: ten megabytes, where their texts are the longest. */
const maximumBatch = 50;

export type EntryLists = ReturnType<typeof openEntryLists>;

export const openEntryLists = (table: Table) => {
  const reader = openEntryReader(table);

  async function* readFiled(
    name: TenantName,
    range: ListRange,
    missing: () => number,
  ): AsyncGenerator<ListedEntry> {
    const query = queryOf(tenantKey(name).pk, filedBounds(name, range), range);
    if (query === undefined) return;
    const budget = openPageBudget(filedPage);
    let from: Item | undefined;
    /** The last entry of a call: more of it may follow, and else whether another one does. */
    let begun: Item[] = [];
    for (;;) {
      const Limit = budget.nextLimit(missing());
      if (Limit === 0) return;
      const page = await table.queryPage({ ...query, Limit }, from);
      const groups = groupByEntry([...begun, ...page.items]);
      begun = (page.next && groups.pop()?.items) ?? [];
      let [found, leftOut] = [0, 0];
      for (const [index, { key, items }] of groups.entries()) {
        const place = readEntryKey(key);
        const entry = await reader.get(key, items);
        const isLast = page.next === undefined && index === groups.length - 1;
        const before = missing();
        yield { position: { date: place.date, place }, entry, isLast };
        if (missing() < before) found += items.length;
        else leftOut += items.length;
      }
      from = page.next;
      if (from === undefined) return;
      budget.count({ items: page.items.length, units: page.units, found, leftOut });
    }
  }

  async function* readScheduled(
    name: TenantName,
    range: ListRange,
    missing: () => number,
  ): AsyncGenerator<ListedEntry> {
    const query = queryOf(tenantKey(name).pk, scheduledBounds(name, range), range);
    if (query === undefined) return;
    const budget = openPageBudget(scheduledPage);
    let after: Key | undefined;
    for (;;) {
      // The items that name the entries show whether there is another page.
      const limit = Math.min(budget.nextLimit(missing() - 1), maximumBatch);
      if (limit === 0) return;
      const paging = { limit, bounds: scheduledPage, after };
      const { items: names, next } = await readPage(table, query, paging);
      const places = (names as Key[]).map((item) => ({
        key: entryKeyUnderDate(item),
        date: scheduledDateOf(item),
      }));
      const reads = openUnitCount();
      const headers = await reads.count(() => table.getMany(places.map(({ key }) => key)));
      let found = 0;
      for (const [index, { key, date }] of places.entries()) {
        const items = [headers.get(keyText(key))].filter((item) => item !== undefined);
        const entry = await reads.count(() => reader.get(key, items));
        const before = missing();
        yield {
          position: { date, place: readEntryKey(key) },
          entry: stillScheduled(entry),
          isLast: next === undefined && index === places.length - 1,
        };
        found += before - missing();
      }
      after = next;
      if (after === undefined) return;
      budget.count({
        items: places.length,
        units: reads.units(),
        found,
        leftOut: places.length - found,
      });
    }
  }

  return {
    /**
     * Yields entries by the date under which they are filed, and by their numbers within it. It
     * ends early if too many of them are left out.
     *
     * @param missing how many are still wanted, which decides how many items a call reads; what
     *   does not change it was left out
     */
    filed: readFiled,

    /**
     * Yields scheduled entries by their posting dates. It costs a read unit for each entry of up to
     * 4 KB, and one for each forty items that name them. It ends early if too many are left out.
     *
     * @param missing how many are still wanted; what does not change it was left out
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

/** An entry may have been posted since it was named. */
const stillScheduled = (entry: JournalEntry): JournalEntry | undefined =>
  entry.status === 'scheduled' ? entry : undefined;

/** Adds up the units that calls to the table consume. */
const openUnitCount = () => {
  let units = 0;
  return {
    units: (): number => units,
    count: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      const { result, usage } = await meterUsage(work);
      for (const call of usage.calls) units += call.units;
      return result;
    },
  };
};
