// A tenant's books item by item, whole or harmed: what the operator's tool verifies and exports.
//
// Nothing here holds more than a page of entries, and the places of those that count on a date by
// their accrual.

import * as z from 'zod/mini';
import { Account } from '../accounts/accounts.ts';
import { accountsIn, countAccounts } from '../applications/quota-counts.store.ts';
import { linesPerItem, readEntry } from '../entries/entry-items.store.ts';
import type { EntryPlace, JournalEntry } from '../entries/journal-entry.ts';
import { type EntryRange, rangeBounds } from '../entries/lists/entry-bounds.store.ts';
import { dueDateAction } from '../entries/schedule/due-dates.store.ts';
import type { DaySheet } from '../sheets/day-sheet.ts';
import { type SheetName, sheetAction, sheetOf } from '../sheets/day-sheets.store.ts';
import { dueDatePlace } from '../table/due-keys.ts';
import {
  accountCountKey,
  accountKey,
  accountPrefix,
  accrualPrefix,
  dateOfPlace,
  dueDateKey,
  entryKeyUnderDate,
  entryPrefix,
  type Key,
  keyText,
  readEntryKey,
  readSheetKey,
  scheduledPrefix,
  sheetKey,
  sheetPrefix,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import { prefixRange, sortRange } from '../table/sort-ranges.ts';
import type { Item, Table } from '../table/table.ts';

/** The last character there is: it comes after whatever begins with the text before it. */
const last = '\u{10ffff}';

/** An entry as its items are found; `entry` is `undefined` where they make none. */
export type StoredEntry = {
  key: Key;
  place: EntryPlace;
  header: Item;
  entry: JournalEntry | undefined;
};

/** What names an entry under the date on which it counts, or is to count. */
export type DateMarker = { status: 'posted' | 'scheduled'; date: string; key: Key; entry: Key };

/** Where an entry that counts by its accrual is, and its place on that date. */
type AccruedPlace = { key: Key; postingSequence: number };

const markerPrefixes = { posted: accrualPrefix, scheduled: scheduledPrefix } as const;

const PostingPlace = z.object({ postingSequence: z.int() });
const LineCount = z.object({ lineCount: z.int() });
const Guard = z.object({ entrySk: z.string() });

const isListedDue = (item: Item): boolean =>
  item.due_pk === dueDatePlace(keyOf(item)).due_pk && item.due_sk !== undefined;

const keyOf = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });

const foundEntry = (key: Key, items: readonly Item[]): StoredEntry => {
  const [header = {}] = items;
  let entry: JournalEntry | undefined;
  try {
    entry = readEntry(items);
  } catch {
    // What cannot be read is found like that, and whoever looks decides what to say of it.
  }
  return { key, place: readEntryKey(key), header, entry };
};

/**
 * About a megabyte of entries, and the table reads no more by one call. Without a limit the
 * embedded engine loads the rest of the books before it stops at a megabyte.
 */
const itemsPerCall = 1_000;

export type KeptBooks = ReturnType<typeof openKeptBooks>;

export const openKeptBooks = (table: Table) => {
  /** Yields the items of a range of a tenant's keys, its ends included. */
  async function* itemsIn(name: TenantName, { from, to }: { from: string; to: string }) {
    const range = sortRange(tenantKey(name).pk, { first: from, last: to });
    const pages = table.queryPages({ ...range, Limit: itemsPerCall });
    for await (const page of pages) yield* page;
  }

  /** Yields entries in the order of their keys, each with the lines of its further items. */
  async function* entriesIn(name: TenantName, range: EntryRange): AsyncGenerator<StoredEntry> {
    let [key, items]: [Key | undefined, Item[]] = [undefined, []];
    for await (const item of itemsIn(name, rangeBounds(range))) {
      const found = keyOf(item);
      if (key !== undefined && found.sk.startsWith(`${key.sk}#`)) items.push(item);
      else {
        if (key !== undefined) yield foundEntry(key, items);
        [key, items] = [found, [item]];
      }
    }
    if (key !== undefined) yield foundEntry(key, items);
  }

  /** The entries of these keys that are there. The further lines of long ones are read apart. */
  const findEntries = async (
    name: TenantName,
    keys: readonly Key[],
  ): Promise<Map<string, StoredEntry>> => {
    const headers = await table.getMany(keys);
    const found = await Promise.all(
      keys.map(async (key): Promise<[string, StoredEntry][]> => {
        const header = headers.get(keyText(key));
        if (header === undefined) return [];
        const isLong = (LineCount.safeParse(header).data?.lineCount ?? 0) > linesPerItem;
        if (!isLong) return [[keyText(key), foundEntry(key, [header])]];
        const items = [];
        for await (const it of itemsIn(name, { from: key.sk, to: `${key.sk}#${last}` })) {
          items.push(it);
        }
        return [[keyText(key), foundEntry(key, items)]];
      }),
    );
    return new Map(found.flat());
  };

  async function* markersIn(
    name: TenantName,
    { status, date = '' }: { status: DateMarker['status']; date?: string },
  ): AsyncGenerator<DateMarker> {
    const prefix = `${markerPrefixes[status]}${date}`;
    for await (const item of itemsIn(name, { from: prefix, to: `${prefix}${last}` })) {
      const key = keyOf(item);
      yield { status, date: dateOfPlace(key), key, entry: entryKeyUnderDate(key) };
    }
  }

  /** Where the entries are that count on a date by their accrual, in their order on it. */
  const listAccrued = async (name: TenantName, { date, series }: SheetName) => {
    const places: AccruedPlace[] = [];
    let keys: Key[] = [];
    const readPlaces = async (): Promise<void> => {
      for (const [, header] of await table.getMany(keys)) {
        const place = PostingPlace.safeParse(header).data;
        if (place && header.accrualDate === date) places.push({ key: keyOf(header), ...place });
      }
      keys = [];
    };
    for await (const { entry } of markersIn(name, { status: 'posted', date: `${date}#` })) {
      if (readEntryKey(entry).series !== series) continue;
      keys.push(entry);
      if (keys.length === 100) await readPlaces();
    }
    await readPlaces();
    return places.sort((one, other) => one.postingSequence - other.postingSequence);
  };

  /** Yields the entries of these places in this order, some of them read at once. */
  async function* readInOrder(
    name: TenantName,
    places: readonly AccruedPlace[],
  ): AsyncGenerator<StoredEntry> {
    for (let first = 0; first < places.length; first += 50) {
      const keys = places.slice(first, first + 50).map(({ key }) => key);
      const found = await findEntries(name, keys);
      for (const key of keys) {
        const entry = found.get(keyText(key));
        if (entry) yield entry;
      }
    }
  }

  return {
    entriesIn,
    findEntries,
    markersIn,

    /** The dates and series that have sheets, in this order. */
    listSheetNames: async (name: TenantName): Promise<SheetName[]> => {
      const names: SheetName[] = [];
      const range = { from: sheetPrefix, to: `${sheetPrefix}${last}` };
      for await (const item of itemsIn(name, range)) names.push(readSheetKey(keyOf(item)));
      return names;
    },

    /** Yields the sheets of a tenant in the order of date and series. */
    sheets: async function* (name: TenantName): AsyncGenerator<SheetName & DaySheet> {
      const range = { from: sheetPrefix, to: `${sheetPrefix}${last}` };
      for await (const item of itemsIn(name, range)) {
        yield { ...readSheetKey(keyOf(item)), ...sheetOf(item) };
      }
    },

    findSheetItem: (name: TenantName, of: SheetName): Promise<Item | undefined> =>
      table.get(sheetKey(name, of)),

    /** Yields the accounts of a tenant in the order of their codes. */
    accounts: async function* (name: TenantName): AsyncGenerator<Account> {
      const range = { from: accountPrefix, to: `${accountPrefix}${last}` };
      for await (const item of itemsIn(name, range)) yield Account.parse(item);
    },

    findAccount: async (name: TenantName, code: string): Promise<Account | undefined> => {
      const item = await table.get(accountKey(name, code));
      return item && Account.parse(item);
    },

    countAccounts: (name: TenantName): Promise<number> => countAccounts(table, name),

    /** How many accounts the tenant's quota counts, if somebody has counted them. */
    findAccountCount: async (name: TenantName): Promise<number | undefined> =>
      accountsIn(await table.get(accountCountKey(name))),

    /** Sets the count of accounts, unless somebody changed it meanwhile. */
    correctAccountCount: (
      name: TenantName,
      { counted, found }: { counted: number; found: number },
    ): Promise<boolean> =>
      table.update({
        update: accountCountKey(name),
        expression: 'SET accounts = :found',
        condition: 'accounts = :counted',
        values: { ':found': found, ':counted': counted },
      }),

    /** The entry that a guard leads to: of an external_id, an Idempotency-Key or a reference. */
    findGuarded: async (guard: Key): Promise<Key | undefined> => {
      const item = await table.get(guard);
      return item && { pk: guard.pk, sk: Guard.parse(item).entrySk };
    },

    /** Those of these keys that are there, by the text of the key. */
    findItems: (keys: readonly Key[]): Promise<Map<string, Item>> => table.getMany(keys),

    /**
     * Yields what counts on a date in the order in which it came to count, given the entries that
     * are filed on it and have no accrual date.
     */
    merged: async function* (
      name: TenantName,
      of: SheetName,
      filed: AsyncIterable<StoredEntry>,
    ): AsyncGenerator<StoredEntry> {
      const accrued = readInOrder(name, await listAccrued(name, of));
      let next = (await accrued.next()).value as StoredEntry | undefined;
      const sequenceOf = ({ entry }: StoredEntry) => entry?.postingSequence ?? 0;
      for await (const found of filed) {
        while (next && sequenceOf(next) < sequenceOf(found)) {
          yield next;
          next = (await accrued.next()).value as StoredEntry | undefined;
        }
        yield found;
      }
      if (next) yield next;
      yield* accrued;
    },

    /** The last entry of a tenant by date and number, if there is any. */
    findLastPlace: async (name: TenantName): Promise<EntryPlace | undefined> => {
      const pages = table.queryPages({
        ...prefixRange(tenantKey(name).pk, entryPrefix),
        ScanIndexForward: false,
        Limit: 1,
      });
      for await (const [item] of pages) return item && readEntryKey(keyOf(item));
      return undefined;
    },

    /** Those of these dates that the due index lists as dates to be posted. */
    findDueDates: async (name: TenantName, dates: readonly string[]): Promise<Set<string>> => {
      const keys = dates.map((date) => dueDateKey(name, date));
      const items = await table.getMany(keys);
      return new Set([...items.values()].filter(isListedDue).map((it) => dateOfPlace(keyOf(it))));
    },

    /** Lists a date as one to be posted, as if something was just scheduled for it. */
    restoreDueDate: async (name: TenantName, date: string): Promise<void> => {
      await table.update(dueDateAction(name, date));
    },

    /** Writes the rows of a sheet anew, unless somebody changed it since it was read. */
    rewriteRows: async (
      name: TenantName,
      of: SheetName,
      { before, rows }: { before: DaySheet; rows: DaySheet['rows'] },
    ): Promise<boolean> => {
      const after = { ...before, rows };
      const outcome = await table.transact([sheetAction(name, of, { before, after })]);
      return outcome.committed;
    },
  };
};
