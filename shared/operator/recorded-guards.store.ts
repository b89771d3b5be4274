// Reads the guards of a tenant's entries, for verification.

import * as z from 'zod/mini';
import { EntryGuard } from '../entries/entry-guards.store.ts';
import type { SheetName } from '../sheets/day-sheet.ts';
import {
  entryIdempotencyKey,
  externalIdKey,
  journalReferenceKey,
  type Key,
  readSheetKey,
  sheetPrefix,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import type { Item, Table } from '../table/table.ts';

/**
 * A guard; of an Idempotency-Key, with the keys of its entries, and of those that were recorded
 * with it.
 */
type RecordedGuard = { sk: string; entries: Key[]; recorded: Key[] };

const KeyedSheet = z.object({ keyedEntries: z.optional(z.int()) });

const maximumItemsPerCall = 1_000;

export const openRecordedGuards = (table: Pick<Table, 'queryPages'>) => {
  async function* itemsUnder({ pk, sk }: Key): AsyncGenerator<Item> {
    const pages = table.queryPages({ ...prefixRange(pk, sk), Limit: maximumItemsPerCall });
    for await (const page of pages) yield* page;
  }

  return {
    /** The number of entries with an Idempotency-Key of each sheet, also of damaged sheets. */
    keyedSheets: async function* (
      name: TenantName,
    ): AsyncGenerator<SheetName & { keyedEntries: number }> {
      const { pk } = tenantKey(name);
      for await (const item of itemsUnder({ pk, sk: sheetPrefix })) {
        const { keyedEntries } = KeyedSheet.safeParse(item).data ?? {};
        if (keyedEntries) yield { ...readSheetKey({ sk: String(item.sk) }), keyedEntries };
      }
    },

    list: async function* (name: TenantName): AsyncGenerator<RecordedGuard> {
      for (const prefix of [externalIdKey(name, ''), journalReferenceKey(name, '')]) {
        for await (const { sk } of itemsUnder(prefix))
          yield { sk: String(sk), entries: [], recorded: [] };
      }
      const { pk } = tenantKey(name);
      for await (const item of itemsUnder(entryIdempotencyKey(name, ''))) {
        const { entrySk, furtherSks = [], recorded = [] } = EntryGuard.parse(item);
        const entries = [entrySk, ...furtherSks].map((sk) => ({ pk, sk }));
        const isRecorded = (_: Key, place: number) => recorded === true || recorded.includes(place);
        yield { sk: String(item.sk), entries, recorded: entries.filter(isRecorded) };
      }
    },
  };
};
