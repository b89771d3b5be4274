// One entry by what names it, and whether there is the tenant that it is looked for in.

import type { EntryPlace, JournalEntry } from '../domain/entries/journal-entry.ts';
import { EntryGuard } from './entry-guards.ts';
import { readEntry } from './entry-items.ts';
import { entryKey, externalIdKey, type Key, keyText, type TenantName, tenantKey } from './keys.ts';
import type { Table } from './table.ts';
import { getWhole } from './whole-entries.ts';

/** What leads to an entry: where it is filed, or the id that its application gave it. */
export type EntryAddress = { place: EntryPlace } | { externalId: string };

export type FoundEntry = { hasTenant: boolean; entry: JournalEntry | undefined };

export type EntryLookups = ReturnType<typeof openEntryLookups>;

export const openEntryLookups = (table: Table) => {
  /** The tenant and another of its items, in one call. */
  const readBeside = async (name: TenantName, key?: Key) => {
    const items = await table.getMany([tenantKey(name), ...(key ? [key] : [])]);
    return {
      hasTenant: items.has(keyText(tenantKey(name))),
      item: key && items.get(keyText(key)),
    };
  };

  return {
    /**
     * Finds an entry: in one call by its place, and in two by its external_id or where it has more
     * lines than its first item holds. Without an address none is there.
     */
    find: async (name: TenantName, address: EntryAddress | undefined): Promise<FoundEntry> => {
      if (address === undefined) return { ...(await readBeside(name)), entry: undefined };
      if ('place' in address) {
        const key = entryKey(name, address.place);
        const { hasTenant, item } = await readBeside(name, key);
        return { hasTenant, entry: item && (readEntry([item]) ?? (await getWhole(table, key))) };
      }
      const { hasTenant, item } = await readBeside(name, externalIdKey(name, address.externalId));
      const key = item && { pk: tenantKey(name).pk, sk: EntryGuard.parse(item).entrySk };
      return { hasTenant, entry: key && (await getWhole(table, key)) };
    },
  };
};
