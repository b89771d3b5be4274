// Reads the entries that count on a date: first the entries with this entry date, then the entries
// with this accrual date.

import {
  type DayToShow,
  isCounted,
  type PlacedEntry,
  type PlaceInDay,
  totalCounted,
} from '../../reports/account-ledger.ts';
import {
  entryKey,
  entryPrefix,
  type Key,
  keyOfItem,
  keyText,
  readEntryKey,
  type TenantName,
  tenantKey,
} from '../../table/keys.ts';
import { entryKeyUnderDate, markerKeys, markerPrefixes } from '../../table/list-keys.ts';
import { meterUsage } from '../../table/metering.ts';
import { bytesPerReadUnit } from '../../table/pages.ts';
import { sortRange } from '../../table/sort-ranges.ts';
import type { Table } from '../../table/table.ts';
import { type EntryGroup, groupByEntry, openEntryReader } from '../entry-reader.store.ts';

/** The bytes that a request can still read. */
export type ReadBudget = { bytes: number };

/** The bytes that one call of a query reads (DynamoDB API Reference, "Query"). */
export const maximumBytesPerCall = 2 ** 20;

/** More than most dates have items and most pages have lines. */
const maximumItemsOfFirstCall = 250;

/** The entries of one call are read in one batch. */
const maximumAccrualsPerCall = 50;

/** Entries in their order, and the place at which to continue, if there are more. */
export type EntriesOfDay = { entries: PlacedEntry[]; next: PlaceInDay | undefined };

const placeOf = (key: Pick<Key, 'sk'>, { isAccrual }: { isAccrual: boolean }): PlaceInDay => ({
  ...readEntryKey(key),
  isAccrual,
});

const after = (place: PlaceInDay): PlaceInDay => ({ ...place, sequence: place.sequence + 1 });

export type PostedEntries = ReturnType<typeof openPostedEntries>;

export const openPostedEntries = (table: Pick<Table, 'query' | 'queryPage' | 'getMany'>) => {
  const reader = openEntryReader(table);

  /**
   * The entries of these groups. An entry with missing lines is left out. The count of its date
   * then shows that it is missing.
   */
  const readPlaced = async (
    groups: readonly EntryGroup[],
    section: { isAccrual: boolean },
  ): Promise<PlacedEntry[]> => {
    const read = await Promise.all(
      groups.map(async ({ key, items }): Promise<PlacedEntry[]> => {
        const entry = await reader.find(key, items);
        return entry ? [{ place: placeOf(key, section), entry }] : [];
      }),
    );
    return read.flat();
  };

  /** Reads the next entries with this entry date in one call. */
  const readFiled = async (
    name: TenantName,
    { date, from, isFirst }: { date: string; from: PlaceInDay | undefined; isFirst: boolean },
  ): Promise<EntriesOfDay> => {
    const prefix = `${entryPrefix}${date}#`;
    const range = sortRange(tenantKey(name).pk, {
      first: from ? entryKey(name, from).sk : prefix,
      last: `${prefix}~`,
    });
    const { items, next } = await table.queryPage({
      ...range,
      ...(isFirst && { Limit: maximumItemsOfFirstCall }),
    });
    return {
      entries: await readPlaced(groupByEntry(items), { isAccrual: false }),
      next: next && after(placeOf(keyOfItem(next), { isAccrual: false })),
    };
  };

  /** Reads the next entries with this accrual date: one call for their keys, and one for them. */
  const readAccruals = async (
    name: TenantName,
    { date, from }: { date: string; from: PlaceInDay | undefined },
  ): Promise<EntriesOfDay> => {
    const prefix = `${markerPrefixes.posted}${date}#`;
    const start = from && markerKeys(entryKey(name, from), date).posted.sk;
    const { items, next } = await table.queryPage({
      ...sortRange(tenantKey(name).pk, { first: start ?? prefix, last: `${prefix}~` }),
      Limit: maximumAccrualsPerCall,
    });
    const keys = items.map((item) => entryKeyUnderDate(keyOfItem(item)));
    const headers = await table.getMany(keys);
    const groups = keys.flatMap((key): EntryGroup[] => {
      const item = headers.get(keyText(key));
      return item ? [{ key, items: [item] }] : [];
    });
    const section = { isAccrual: true };
    return {
      entries: await readPlaced(groups, section),
      next: next && after(placeOf(entryKeyUnderDate(keyOfItem(next)), section)),
    };
  };

  /**
   * Reads the entries that count on a date, from the place in `day.after`. Stops when the caller
   * has enough or the budget is used up. `next` is the place at which to continue.
   */
  const readDay = async (
    name: TenantName,
    day: Pick<DayToShow, 'date' | 'counted' | 'after'>,
    {
      budget,
      isEnough,
    }: { budget: ReadBudget; isEnough: (entries: readonly PlacedEntry[]) => boolean },
  ): Promise<EntriesOfDay> => {
    const { date, counted } = day;
    const from = day.after?.place;
    const entries: PlacedEntry[] = [];
    const read = async (call: () => Promise<EntriesOfDay>) => {
      const { result, usage } = await meterUsage(call);
      for (const { units } of usage.calls) budget.bytes -= units * bytesPerReadUnit;
      entries.push(...result.entries.filter((placed) => isCounted(placed, day)));
      return result.next;
    };
    const hasRoom = () => budget.bytes >= maximumBytesPerCall && !isEnough(entries);
    let next = from;
    if (!from?.isAccrual) {
      let isFirst = true;
      do {
        const options = { date, from: next, isFirst };
        next = await read(() => readFiled(name, options));
        isFirst = false;
      } while (next && hasRoom());
      const isAll = from === undefined && entries.length === totalCounted(counted);
      if (next || isAll) return { entries, next };
    }
    do {
      const options = { date, from: next };
      next = await read(() => readAccruals(name, options));
    } while (next && hasRoom());
    return { entries, next };
  };

  return { readDay };
};
