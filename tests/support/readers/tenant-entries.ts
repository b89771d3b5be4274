// The entries of a tenant, read from its items by the product's own reader.

import { readEntry } from '#shared/entries/entry-items.store.ts';
import type { JournalEntry } from '#shared/entries/journal-entry.ts';
import { entryPrefix, readEntryKey, type TenantName, tenantKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** Every entry of a tenant, in the order of their dates, series and numbers. */
export const readEntries = async (table: Table, name: TenantName): Promise<JournalEntry[]> => {
  const items = await table.query({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :entries)',
    ExpressionAttributeValues: { ':pk': tenantKey(name).pk, ':entries': entryPrefix },
  });
  const placeOf = ({ sk }: { sk?: unknown }) => JSON.stringify(readEntryKey({ sk: String(sk) }));
  return [...Map.groupBy(items, placeOf).values()].map((parts) => {
    const entry = readEntry(parts);
    if (entry === undefined) throw new Error(`an entry at ${parts[0]?.sk} is not whole`);
    return entry;
  });
};
