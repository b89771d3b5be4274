// What is due, as the sparse index lists it: scheduled entries, imports that have not ended, and
// connections whose tokens are to be renewed.

import * as z from 'zod/mini';
import { dueIndex, dueUntil, type Key, type TenantName, tenantNameOf } from './keys.ts';
import type { Table } from './table.ts';

const DueItem = z.object({ pk: z.string(), sk: z.string(), due_sk: z.string() });
type DueItem = z.infer<typeof DueItem>;

/**
 * Yields what is in these partitions of the index, of each the longest due first: what
 * is due on or before the date, or at or before the moment, `by`; everything without it.
 */
export async function* listDueItems(
  table: Pick<Table, 'queryPages'>,
  { partitions, by }: { partitions: readonly string[]; by?: string },
): AsyncGenerator<DueItem> {
  for (const partition of partitions) {
    const pages = table.queryPages({
      IndexName: dueIndex,
      KeyConditionExpression:
        by === undefined ? 'due_pk = :partition' : 'due_pk = :partition AND due_sk < :until',
      ExpressionAttributeValues: {
        ':partition': partition,
        ...(by !== undefined && { ':until': dueUntil(by) }),
      },
    });
    for await (const page of pages) {
      for (const item of page) yield DueItem.parse(item);
    }
  }
}

/** Yields the keys of the same. */
export async function* listDue(
  ...parameters: Parameters<typeof listDueItems>
): AsyncGenerator<Key> {
  for await (const { pk, sk } of listDueItems(...parameters)) yield { pk, sk };
}

/** Yields the tenants of what is due at this moment in a partition of tenants' items. */
export async function* listDueTenants(
  table: Pick<Table, 'queryPages'>,
  { partition, now }: { partition: string; now: Date },
): AsyncGenerator<TenantName> {
  for await (const key of listDue(table, { partitions: [partition], by: now.toISOString() })) {
    const name = tenantNameOf(key);
    if (name === undefined) throw new Error(`an item of ${partition} belongs to no tenant`);
    yield name;
  }
}
