// The entries that count on a date, in their order: those filed under it, then those whose accrual
// date it is.

import {
  type DayToShow,
  isCounted,
  type PlacedEntry,
  type PlaceInDay,
} from '../../reports/account-ledger.ts';
import {
  accrualPrefix,
  entryKey,
  entryKeyUnderDate,
  entryPrefix,
  type Key,
  keyText,
  postingDateKeys,
  readEntryKey,
  type TenantName,
  tenantKey,
} from '../../table/keys.ts';
import { meterUsage } from '../../table/metering.ts';
import { sortRange } from '../../table/sort-ranges.ts';
import type { Item, Table } from '../../table/table.ts';
import { type EntryGroup, groupByEntry, openEntryReader } from '../entry-reader.store.ts';

/** What a request may still read. */
export type ReadBudget = { bytes: number };

/** A strongly consistent read unit is of 4 KB (DynamoDB Developer Guide, "Read capacity"). */
const bytesPerUnit = 4_096;

/** A call of a query reads a megabyte at most (DynamoDB API Reference, "Query"). */
export const bytesPerCall = 2 ** 20;

/** Most dates have fewer items, and most pages fewer lines, so that more would be read in vain. */
const itemsOfFirstCall = 250;

/** Accruals lead to entries in other places, which are read in one batch. */
const accrualsPerCall = 50;

/** Entries in their order, and the place where the next begin, if there are any. */
export type EntriesOfDay = { entries: PlacedEntry[]; next: PlaceInDay | undefined };

const placeOf = (key: Pick<Key, 'sk'>, { isAccrual }: { isAccrual: boolean }): PlaceInDay => ({
  ...readEntryKey(key),
  isAccrual,
});

const after = (place: PlaceInDay): PlaceInDay => ({ ...place, sequence: place.sequence + 1 });

const keyOf = (item: Item): Key => ({ pk: String(item.pk), sk: String(item.sk) });

export type PostedEntries = ReturnType<typeof openPostedEntries>;

export const openPostedEntries = (table: Pick<Table, 'query' | 'queryPage' | 'getMany'>) => {
  const reader = openEntryReader(table);

  /**
   * The entries of these groups. An entry is left out if lines of it are missing: it was committed
   * a moment ago or lines are lost, and the count of its date shows that.
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

  /** The next entries that are filed under a date, by one call. */
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
      ...(isFirst && { Limit: itemsOfFirstCall }),
    });
    return {
      entries: await readPlaced(groupByEntry(items), { isAccrual: false }),
      next: next && after(placeOf(keyOf(next), { isAccrual: false })),
    };
  };

  /** The next entries whose accrual date a date is, by one call, and one for where they are. */
  const readAccruals = async (
    name: TenantName,
    { date, from }: { date: string; from: PlaceInDay | undefined },
  ): Promise<EntriesOfDay> => {
    const prefix = `${accrualPrefix}${date}#`;
    const start = from && postingDateKeys(entryKey(name, from), date).posted.sk;
    const { items, next } = await table.queryPage({
      ...sortRange(tenantKey(name).pk, { first: start ?? prefix, last: `${prefix}~` }),
      Limit: accrualsPerCall,
    });
    const keys = items.map((item) => entryKeyUnderDate(keyOf(item)));
    const found = await table.getMany(keys);
    const groups = keys.flatMap((key): EntryGroup[] => {
      const item = found.get(keyText(key));
      return item ? [{ key, items: [item] }] : [];
    });
    const section = { isAccrual: true };
    return {
      entries: await readPlaced(groups, section),
      next: next && after(placeOf(entryKeyUnderDate(keyOf(next)), section)),
    };
  };

  /**
   * Reads what counts on a date, from the place on where the day begins, and stops where it is
   * enough or the budget is used up; `next` is where it goes on.
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
      for (const { units } of usage.calls) budget.bytes -= units * bytesPerUnit;
      entries.push(...result.entries.filter((placed) => isCounted(placed, day)));
      return result.next;
    };
    const hasRoom = () => budget.bytes >= bytesPerCall && !isEnough(entries);
    let next = from;
    if (!from?.isAccrual) {
      let isFirst = true;
      do {
        const options = { date, from: next, isFirst };
        next = await read(() => readFiled(name, options));
        isFirst = false;
      } while (next && hasRoom());
      if (next) return { entries, next };
      const isAll = from === undefined && entries.length === counted.IJ + counted.MJ;
      if (isAll) return { entries, next };
    }
    do {
      const options = { date, from: next };
      next = await read(() => readAccruals(name, options));
    } while (next && hasRoom());
    return { entries, next };
  };

  return { readDay };
};
