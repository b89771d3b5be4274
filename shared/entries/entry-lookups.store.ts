// Finds an entry by its place or external_id, and whether its tenant exists.

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

/** The address of an entry: its place or its external_id. */
export type EntryAddress = { place: EntryPlace } | { externalId: string };

export type EntryLookupResult = { hasTenant: boolean; entry: JournalEntry | undefined };

/** The key to read first for an address: the entry itself, or its guard. */
export const addressKey = (name: TenantName, address: EntryAddress): Key =>
  'place' in address ? entryKey(name, address.place) : externalIdKey(name, address.externalId);

/**
 * The complete entry from the item at its address. This takes another call if the item is a guard,
 * or if the entry has further items.
 */
export const entryFrom = (
  reader: Pick<EntryReader, 'get'>,
  { pk, sk }: Key,
  item: Item,
): Promise<JournalEntry> => {
  const guard = EntryGuard.safeParse(item).data;
  return guard ? reader.get({ pk, sk: guard.entrySk }) : reader.get({ pk, sk }, [item]);
};

/** The key of an entry from its id, which another stored entry names. @throws BooksDiffer */
export const keyOfEntryId = (name: TenantName, entryId: string): Key => {
  const place = readEntryId(entryId);
  if (place === undefined) throw new BooksDiffer(`${entryId} is not the id of an entry`);
  return entryKey(name, place);
};

export type EntryLookups = ReturnType<typeof openEntryLookups>;

export const openEntryLookups = (table: Table) => ({
  /**
   * Finds an entry. This takes one call. It takes another for an external_id, or if the lines do
   * not fit into the first item. Without an address it only checks the tenant.
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
