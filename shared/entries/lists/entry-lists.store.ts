// Lists entries by their entry dates, or scheduled entries by their posting dates. Items name the
// scheduled and cancelled entries, and those with indexed metadata, which are few among many.

import {
  dateOfPlace,
  type Key,
  keyText,
  readEntryKey,
  type TenantName,
  tenantKey,
} from '../../table/keys.ts';
import { entryKeyUnderDate } from '../../table/list-keys.ts';
import { meterUsage } from '../../table/metering.ts';
import { openPageBudget, type PageBounds, type PageBudget, readPage } from '../../table/pages.ts';
import { sortRange } from '../../table/sort-ranges.ts';
import type { Item, Table } from '../../table/table.ts';
import { storedFieldsOf } from '../entry-items.store.ts';
import { type EntryGroup, groupByEntry, openEntryReader } from '../entry-reader.store.ts';
import type { JournalEntry } from '../journal-entry.ts';
import {
  filedBounds,
  type ListPosition,
  type ListRange,
  type MarkerKind,
  markerBounds,
  type SortBounds,
  type Stretch,
} from './entry-bounds.store.ts';
import { type EntryFilter, isMatch, isOfSomeDates, mayMatchName } from './entry-filter.ts';
import { openEntryStretches } from './entry-stretches.store.ts';

/** The part of a list to read. */
type FilteredRange = ListRange & { filter: EntryFilter };

/**
 * An examined place of a list, and its entry if that matches. If a list ends without `isLast`, it
 * was not read to its end.
 */
export type ListedEntry = {
  position: ListPosition;
  entry: JournalEntry | undefined;
  isLast: boolean;
};

/** The calls of a page take about 26 read units. Typical entries of two lines have 900 bytes. */
const filedPage: PageBounds = { items: 100, bytes: 106_000 };

/** Each named entry is read by its key, which takes at least one read unit. */
const namedPage = { items: 25, units: 28 };

/** The items that name entries. Typical ones have 150 bytes. */
const markersPage: PageBounds = { items: 1_000, bytes: 100_000 };

type Reading = { filter: EntryFilter; budget: PageBudget; missing: () => number };

export type EntryLists = ReturnType<typeof openEntryLists>;

export const openEntryLists = (table: Table) => {
  const reader = openEntryReader(table);
  const stretches = openEntryStretches(table);

  /** The entry in these items, if it matches. Other entries are only read as far as needed. */
  const findMatch = async (
    { key, items }: EntryGroup,
    filter: EntryFilter,
  ): Promise<JournalEntry | undefined> => {
    const fields = storedFieldsOf(items);
    if (fields && !isMatch(filter, fields)) return undefined;
    const entry = await reader.get(key, items);
    return isMatch(filter, entry) ? entry : undefined;
  };

  /** The whole list as one stretch, if the day sheets cannot exclude anything. */
  const stretchesOf = (
    name: TenantName,
    range: ListRange,
    options: { filter: EntryFilter; budget: PageBudget },
  ): AsyncIterable<Stretch> | Stretch[] =>
    isOfSomeDates(options.filter)
      ? stretches.list(name, range, options)
      : [{ bounds: filedBounds(name, range), end: undefined, isLast: true }];

  /** Yields the entries of a stretch. Ends early if the budget is used up. */
  async function* readStretch(
    query: ReturnType<typeof queryOf>,
    { filter, budget, missing }: Reading,
  ): AsyncGenerator<ListedEntry> {
    let from: Item | undefined;
    /** The items of the last entry of a call. The next call may continue it. */
    let incomplete: Item[] = [];
    while (query) {
      const Limit = budget.nextLimit(missing());
      if (Limit === 0) return;
      const page = await table.queryPage({ ...query, Limit }, from);
      const groups = groupByEntry([...incomplete, ...page.items]);
      incomplete = (page.next && groups.pop()?.items) ?? [];
      let [matching, leftOut] = [0, 0];
      for (const [index, group] of groups.entries()) {
        const place = readEntryKey(group.key);
        const entry = await findMatch(group, filter);
        if (entry) matching += group.items.length;
        else leftOut += group.items.length;
        const isLast = page.next === undefined && index === groups.length - 1;
        yield { position: { date: place.date, place }, entry, isLast };
      }
      from = page.next;
      budget.count({ items: page.items.length, units: page.units, matching, leftOut });
      if (from === undefined) return;
    }
  }

  async function* readFiled(
    name: TenantName,
    { filter, ...range }: FilteredRange,
    missing: () => number,
  ): AsyncGenerator<ListedEntry> {
    const budget = openPageBudget(filedPage);
    let isFirst = true;
    for await (const { bounds, end, isLast } of stretchesOf(name, range, { filter, budget })) {
      if (!isFirst && budget.isUsedUp()) return;
      isFirst = false;
      const query = queryOf(tenantKey(name).pk, bounds, range);
      let isEmpty = true;
      for await (const listed of readStretch(query, { filter, budget, missing })) {
        isEmpty = false;
        yield { ...listed, isLast: isLast && listed.isLast };
      }
      if (isEmpty && end) yield { position: end, entry: undefined, isLast };
    }
  }

  async function* readNamed(
    kind: MarkerKind,
    name: TenantName,
    { filter, ...range }: FilteredRange,
    missing: () => number,
  ): AsyncGenerator<ListedEntry> {
    const query = queryOf(tenantKey(name).pk, markerBounds(name, kind, range), range);
    if (query === undefined) return;
    const { result: page, usage } = await meterUsage(() =>
      readPage(table, query, {
        limit: Math.min(missing(), namedPage.items),
        bounds: markersPage,
        wanted: (item) => mayMatchName(filter, item),
      }),
    );
    const unitsLeft = namedPage.units - usage.calls.reduce((sum, { units }) => sum + units, 0);
    const names = page.items.slice(0, Math.max(1, Math.floor(unitsLeft))) as Key[];
    const next = names.length < page.items.length ? names.at(-1) : page.next;
    const positionOf = (item: Key): ListPosition => ({
      date: dateOfPlace(item),
      place: readEntryKey(entryKeyUnderDate(item)),
    });
    const keys = names.map(entryKeyUnderDate);
    const headers = await table.getMany(keys);
    for (const [index, item] of names.entries()) {
      const key = entryKeyUnderDate(item);
      const header = headers.get(keyText(key));
      yield {
        position: positionOf(item),
        entry: await findMatch({ key, items: header ? [header] : [] }, filter),
        isLast: next === undefined && index === names.length - 1,
      };
    }
    if (next) yield { position: positionOf(next), entry: undefined, isLast: false };
  }

  return {
    /**
     * Yields entries by entry date and number. Ends early if the filter excludes too many.
     * @param missing the number of entries that the caller still wants, which decides how many
     *   items a call reads
     */
    filed: readFiled,

    /**
     * Yields scheduled entries by posting date, or the others by entry date, at most 25. Ends
     * early if the filter excludes too many. Each entry of up to 4 KB takes a read unit.
     * @param missing as for `filed`
     */
    named: readNamed,
  };
};

/** `undefined` for an empty range, because DynamoDB refuses a first bound after the last. */
const queryOf = (pk: string, bounds: SortBounds | undefined, { order }: ListRange) =>
  bounds && bounds.first <= bounds.last
    ? { ...sortRange(pk, bounds), ScanIndexForward: order === 'asc' }
    : undefined;
