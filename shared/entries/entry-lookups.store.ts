// One entry by what names it, and whether there is the tenant that it is looked for in.

import {
  entryKey,
  externalIdKey,
  type Key,
  keyText,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { BooksDiffer } from './entry-checks.ts';
import { EntryGuard } from './entry-guards.store.ts';
import { readEntryId } from './entry-ids.ts';
import { type EntryReader, openEntryReader } from './entry-reader.store.ts';
import type { EntryPlace, JournalEntry } from './journal-entry.ts';

/** What leads to an entry: where it is filed, or the id that its application gave it. */
export type EntryAddress = { place: EntryPlace } | { externalId: string };

export type EntryLookupResult = { hasTenant: boolean; entry: JournalEntry | undefined };

/** The item that is read first for an entry: its own, or the guard that says where that is. */
export const addressKey = (name: TenantName, address: EntryAddress): Key =>
  'place' in address ? entryKey(name, address.place) : externalIdKey(name, address.externalId);

/**
 * The whole entry to which an item leads that was read at its address. Another call is made unless
 * the item is the entry itself with all its lines.
 */
export const entryFrom = (
  reader: Pick<EntryReader, 'get'>,
  { pk, sk }: Key,
  item: Item,
): Promise<JournalEntry> => {
  const guard = EntryGuard.safeParse(item).data;
  return guard ? reader.get({ pk, sk: guard.entrySk }) : reader.get({ pk, sk }, [item]);
};

/** Where an entry is that another one names by its id. */
export const keyOfEntryId = (name: TenantName, entryId: string): Key => {
  const place = readEntryId(entryId);
  if (place === undefined) throw new BooksDiffer(`${entryId} is not the id of an entry`);
  return entryKey(name, place);
};

export type EntryLookups = ReturnType<typeof openEntryLookups>;

export const openEntryLookups = (table: Table) => ({
  /**
   * Finds an entry: in one call by its place, and in two by its external_id or where it has more
   * lines than its first item holds. Without an address none is there.
   */
  find: async (name: TenantName, address: EntryAddress | undefined): Promise<EntryLookupResult> => {
    const key = address && addressKey(name, address);
    const items = await table.getMany([tenantKey(name), ...(key ? [key] : [])]);
    const item = key && items.get(keyText(key));
    return {
      hasTenant: items.has(keyText(tenantKey(name))),
      entry: item && (await entryFrom(openEntryReader(table), key, item)),
    };
  },
});
