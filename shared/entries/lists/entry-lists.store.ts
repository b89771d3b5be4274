// Lists entries by their entry dates, or scheduled entries by their posting dates.

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
import { sortRange } from '../../table/sort-ranges.ts';
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
 * An entry of a list. `entry` is `undefined` if it has left the list since the query. If a list
 * ends without `isLast`, it was not read to its end.
 */
export type ListedEntry = {
  position: ListPosition;
  entry: JournalEntry | undefined;
  isLast: boolean;
};

/**
 * A page without matches takes about 32 read units. Typical entries of two lines have 900 bytes.
 */
const filedPage: PageBounds = { items: 100, bytes: 80_000 };

/** Each scheduled entry is read by its key, which takes at least one read unit. */
const scheduledPage: PageBounds = { items: 25, bytes: 120_000 };

/** The scheduled entries of one batch read. With the longest texts they have ten megabytes. */
const maximumBatchEntries = 50;

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
    /** The items of the last entry of a call. The next call may continue it. */
    let incomplete: Item[] = [];
    for (;;) {
      const Limit = budget.nextLimit(missing());
      if (Limit === 0) return;
      const page = await table.queryPage({ ...query, Limit }, from);
      const groups = groupByEntry([...incomplete, ...page.items]);
      incomplete = (page.next && groups.pop()?.items) ?? [];
      let [matching, leftOut] = [0, 0];
      for (const [index, { key, items }] of groups.entries()) {
        const place = readEntryKey(key);
        const entry = await reader.get(key, items);
        const isLast = page.next === undefined && index === groups.length - 1;
        const before = missing();
        yield { position: { date: place.date, place }, entry, isLast };
        if (missing() < before) matching += items.length;
        else leftOut += items.length;
      }
      from = page.next;
      if (from === undefined) return;
      budget.count({ items: page.items.length, units: page.units, matching, leftOut });
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
      // One less, because the query itself shows whether there is another page.
      const limit = Math.min(budget.nextLimit(missing() - 1), maximumBatchEntries);
      if (limit === 0) return;
      const paging = { limit, bounds: scheduledPage, after };
      const { items: names, next } = await readPage(table, query, paging);
      const places = (names as Key[]).map((item) => ({
        key: entryKeyUnderDate(item),
        date: scheduledDateOf(item),
      }));
      const reads = openUnitCount();
      const headers = await reads.count(() => table.getMany(places.map(({ key }) => key)));
      let matching = 0;
      for (const [index, { key, date }] of places.entries()) {
        const items = [headers.get(keyText(key))].filter((item) => item !== undefined);
        const entry = await reads.count(() => reader.get(key, items));
        const before = missing();
        yield {
          position: { date, place: readEntryKey(key) },
          entry: stillScheduled(entry),
          isLast: next === undefined && index === places.length - 1,
        };
        matching += before - missing();
      }
      after = next;
      if (after === undefined) return;
      budget.count({
        items: places.length,
        units: reads.units(),
        matching,
        leftOut: places.length - matching,
      });
    }
  }

  return {
    /**
     * Yields entries by entry date and number. Ends early if the caller leaves out too many.
     * @param missing the number of entries that the caller still wants, which decides how many
     *   items a call reads. The caller left an entry out if this did not change.
     */
    filed: readFiled,

    /**
     * Yields scheduled entries by posting date. Ends early if the caller leaves out too many. Each
     * entry of up to 4 KB takes a read unit, and forty items that name entries take another.
     * @param missing as for `filed`
     */
    scheduled: readScheduled,
  };
};

/** `undefined` for an empty range, because DynamoDB refuses a first bound after the last. */
const queryOf = (pk: string, bounds: SortBounds, { order }: ListRange) =>
  bounds.first <= bounds.last
    ? { ...sortRange(pk, bounds), ScanIndexForward: order === 'asc' }
    : undefined;

/** An entry may have been posted or cancelled since the query. */
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
