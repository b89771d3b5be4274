// Reads a tenant's books item by item, even damaged ones. The operator's tool verifies and exports
// them. Only a page of entries is in memory, and the keys of one date's accruals.

import * as z from 'zod/mini';
import { Account } from '../accounts/accounts.ts';
import { chartStateOf, countAccounts } from '../applications/quota-counts.store.ts';
import { type AlteredItems, openAlteredItems } from '../authentication/altered-items.ts';
import type { AlteredItem } from '../authentication/authenticators.ts';
import { maximumLinesPerItem, readEntry } from '../entries/entry-items.store.ts';
import type { EntryPlace, JournalEntry } from '../entries/journal-entry.ts';
import { type EntryRange, rangeBounds } from '../entries/lists/entry-bounds.store.ts';
import { type DaySheet, formatRows, type SheetName, type SheetRow } from '../sheets/day-sheet.ts';
import { sheetActions, sheetOf } from '../sheets/day-sheets.store.ts';
import { batchesOf, inBatches } from '../table/batches.ts';
import { dueDateAction, dueDatePlace } from '../table/due-keys.ts';
import { updateAction } from '../table/field-updates.ts';
import {
  accountCountKey,
  accountKey,
  accountPrefix,
  dateOfPlace,
  dueDateKey,
  entryPrefix,
  type Key,
  keyOfItem,
  keyText,
  readEntryKey,
  readSheetKey,
  sheetKey,
  sheetPrefix,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import { entryKeyUnderDate, markerPrefixes } from '../table/list-keys.ts';
import { lastCharacter, prefixRange, sortRange } from '../table/sort-ranges.ts';
import { type Item, maximumBatchKeys, type Table } from '../table/table.ts';
import { openRecordedGuards } from './recorded-guards.store.ts';
import { openRecordedHistory } from './recorded-history.store.ts';

/** A stored entry. `entry` is `undefined` if its items are incomplete or invalid. */
export type StoredEntry = {
  key: Key;
  place: EntryPlace;
  header: Item;
  entry: JournalEntry | undefined;
};

/** An item that names an entry with an accrual date. */
export type DateMarker = { status: JournalEntry['status']; date: string; key: Key; entry: Key };

/** The key of a posted entry with an accrual date, and its posting sequence. */
type AccruedPlace = { key: Key; postingSequence: number };

const PostingPlace = z.object({ postingSequence: z.int() });
const LineCount = z.object({ lineCount: z.int() });
const Guard = z.object({ entrySk: z.string() });

const isListedDue = (item: Item): boolean =>
  item.due_pk === dueDatePlace(keyOfItem(item)).due_pk && item.due_sk !== undefined;

const storedEntry = (key: Key, items: readonly Item[]): StoredEntry => {
  const [header = {}] = items;
  let entry: JournalEntry | undefined;
  try {
    entry = readEntry(items);
  } catch {
    // The caller reports the invalid entry.
  }
  return { key, place: readEntryKey(key), header, entry };
};

/**
 * About a megabyte of entries, the maximum of one call. Without a limit, the embedded engine loads
 * all remaining items before it stops at a megabyte.
 */
const maximumItemsPerCall = 1_000;

const maximumEntriesPerRead = 50;

export type RecordedBooks = ReturnType<typeof openRecordedBooks>;

/** @param altered the altered items that reads of this table have met */
export const openRecordedBooks = (
  table: Table,
  altered: Pick<AlteredItems, 'take'> = openAlteredItems(),
) => {
  /** Yields the items of a range of sort keys, both ends included. */
  async function* itemsIn(name: TenantName, { from, to }: { from: string; to: string }) {
    const range = sortRange(tenantKey(name).pk, { first: from, last: to });
    const pages = table.queryPages({ ...range, Limit: maximumItemsPerCall });
    for await (const page of pages) yield* page;
  }

  /** Yields complete entries, ordered by their keys. */
  async function* entriesIn(name: TenantName, range: EntryRange): AsyncGenerator<StoredEntry> {
    let [key, items]: [Key | undefined, Item[]] = [undefined, []];
    for await (const item of itemsIn(name, rangeBounds(range))) {
      const itemKey = keyOfItem(item);
      if (key !== undefined && itemKey.sk.startsWith(`${key.sk}#`)) items.push(item);
      else {
        if (key !== undefined) yield storedEntry(key, items);
        [key, items] = [itemKey, [item]];
      }
    }
    if (key !== undefined) yield storedEntry(key, items);
  }

  /** The existing entries of these keys. An entry with further items takes another call. */
  const findEntries = async (
    name: TenantName,
    keys: readonly Key[],
  ): Promise<Map<string, StoredEntry>> => {
    const headers = await table.getMany(keys);
    const entries = await Promise.all(
      keys.map(async (key): Promise<[string, StoredEntry][]> => {
        const header = headers.get(keyText(key));
        if (header === undefined) return [];
        const isLong = (LineCount.safeParse(header).data?.lineCount ?? 0) > maximumLinesPerItem;
        if (!isLong) return [[keyText(key), storedEntry(key, [header])]];
        const items = [];
        for await (const it of itemsIn(name, { from: key.sk, to: `${key.sk}#${lastCharacter}` })) {
          items.push(it);
        }
        return [[keyText(key), storedEntry(key, items)]];
      }),
    );
    return new Map(entries.flat());
  };

  async function* markersIn(
    name: TenantName,
    { status, date = '' }: { status: DateMarker['status']; date?: string },
  ): AsyncGenerator<DateMarker> {
    const prefix = `${markerPrefixes[status]}${date}`;
    for await (const item of itemsIn(name, { from: prefix, to: `${prefix}${lastCharacter}` })) {
      const key = keyOfItem(item);
      yield { status, date: dateOfPlace(key), key, entry: entryKeyUnderDate(key) };
    }
  }

  /** The places of the posted entries with this accrual date, ordered by posting sequence. */
  const listAccrued = async (name: TenantName, { date, series }: SheetName) => {
    const places: AccruedPlace[] = [];
    const keys = inBatches<Key>(maximumBatchKeys, async (batch) => {
      for (const [, header] of await table.getMany(batch)) {
        const place = PostingPlace.safeParse(header).data;
        if (place && header.accrualDate === date) places.push({ key: keyOfItem(header), ...place });
      }
    });
    for await (const { entry } of markersIn(name, { status: 'posted', date: `${date}#` })) {
      if (readEntryKey(entry).series === series) await keys.add(entry);
    }
    await keys.flush();
    return places.sort((one, other) => one.postingSequence - other.postingSequence);
  };

  /** Yields the entries of these places in this order. */
  async function* readInOrder(
    name: TenantName,
    places: readonly AccruedPlace[],
  ): AsyncGenerator<StoredEntry> {
    for (const batch of batchesOf(places, maximumEntriesPerRead)) {
      const keys = batch.map(({ key }) => key);
      const entries = await findEntries(name, keys);
      for (const key of keys) {
        const entry = entries.get(keyText(key));
        if (entry) yield entry;
      }
    }
  }

  return {
    history: openRecordedHistory(table),
    guards: openRecordedGuards(table),
    /** Returns the altered items of a tenant that were read until now, and forgets them. */
    takeAltered: (name: TenantName): AlteredItem[] => altered.take(tenantKey(name).pk),
    entriesIn,
    findEntries,
    markersIn,

    /** The dates and series with sheets, in order. */
    listSheetNames: async (name: TenantName): Promise<SheetName[]> => {
      const names: SheetName[] = [];
      const range = { from: sheetPrefix, to: `${sheetPrefix}${lastCharacter}` };
      for await (const item of itemsIn(name, range)) names.push(readSheetKey(keyOfItem(item)));
      return names;
    },

    /** Yields the sheets of a tenant, ordered by date and series. */
    sheets: async function* (name: TenantName): AsyncGenerator<SheetName & DaySheet> {
      const range = { from: sheetPrefix, to: `${sheetPrefix}${lastCharacter}` };
      for await (const item of itemsIn(name, range)) {
        yield { ...readSheetKey(keyOfItem(item)), ...sheetOf(item) };
      }
    },

    findSheetItem: (name: TenantName, of: SheetName): Promise<Item | undefined> =>
      table.get(sheetKey(name, of)),

    /** Yields the accounts of a tenant, ordered by code. */
    accounts: async function* (name: TenantName): AsyncGenerator<Account> {
      const range = { from: accountPrefix, to: `${accountPrefix}${lastCharacter}` };
      for await (const item of itemsIn(name, range)) yield Account.parse(item);
    },

    findAccount: async (name: TenantName, code: string): Promise<Account | undefined> => {
      const item = await table.get(accountKey(name, code));
      return item && Account.parse(item);
    },

    countAccounts: (name: TenantName): Promise<number> => countAccounts(table, name),

    /** The stored count of the tenant's accounts; `undefined` if it has none. */
    findAccountCount: async (name: TenantName): Promise<number | undefined> =>
      chartStateOf(await table.get(accountCountKey(name))).accounts,

    /** Corrects the stored count of accounts, if it still has the wrong value. */
    correctAccountCount: (
      name: TenantName,
      { stored, actual }: { stored: number; actual: number },
    ): Promise<boolean> =>
      table.update(
        updateAction(accountCountKey(name), {
          set: { accounts: actual },
          expected: { accounts: stored },
        }),
      ),

    /** The key of the entry that a guard names. */
    findGuarded: async (guard: Key): Promise<Key | undefined> => {
      const item = await table.get(guard);
      return item && { pk: guard.pk, sk: Guard.parse(item).entrySk };
    },

    /** The existing items of these keys, by `keyText`. */
    findItems: (keys: readonly Key[]): Promise<Map<string, Item>> => table.getMany(keys),

    /**
     * Yields the posted entries of a posting date, ordered by posting sequence.
     * @param filed the entries with this entry date and no accrual date
     */
    postedInOrder: async function* (
      name: TenantName,
      of: SheetName,
      filed: AsyncIterable<StoredEntry>,
    ): AsyncGenerator<StoredEntry> {
      const accrued = readInOrder(name, await listAccrued(name, of));
      let next = (await accrued.next()).value as StoredEntry | undefined;
      const sequenceOf = ({ entry }: StoredEntry) => entry?.postingSequence ?? 0;
      for await (const entry of filed) {
        while (next && sequenceOf(next) < sequenceOf(entry)) {
          yield next;
          next = (await accrued.next()).value as StoredEntry | undefined;
        }
        yield entry;
      }
      if (next) yield next;
      yield* accrued;
    },

    /** The place of the last entry of a tenant by date and number. */
    findLastPlace: async (name: TenantName): Promise<EntryPlace | undefined> => {
      const pages = table.queryPages({
        ...prefixRange(tenantKey(name).pk, entryPrefix),
        ScanIndexForward: false,
        Limit: 1,
      });
      for await (const [item] of pages) return item && readEntryKey(keyOfItem(item));
      return undefined;
    },

    /** The dates that the due index lists, among these dates. */
    findDueDates: async (name: TenantName, dates: readonly string[]): Promise<Set<string>> => {
      const keys = dates.map((date) => dueDateKey(name, date));
      const items = await table.getMany(keys);
      return new Set(
        [...items.values()].filter(isListedDue).map((it) => dateOfPlace(keyOfItem(it))),
      );
    },

    /** Lists a date in the due index, as scheduling an entry does. */
    restoreDueDate: async (name: TenantName, date: string): Promise<void> => {
      await table.update(dueDateAction(name, date));
    },

    /** Replaces the rows of a sheet, if it has not changed since it was read. */
    rewriteRows: async (
      name: TenantName,
      of: SheetName,
      { before, rows }: { before: DaySheet; rows: readonly SheetRow[] },
    ): Promise<boolean> => {
      const after = { ...before, rows: formatRows(rows) };
      const outcome = await table.transact(sheetActions(name, of, { before, after }));
      return outcome.committed;
    },
  };
};
