// What is due, as the sparse index lists it: scheduled entries, imports that have not ended, and
// connections whose tokens are to be renewed.

import * as z from 'zod/mini';
import { dueIndex, dueUntil, type Key, type TenantName, tenantNameOf } from './keys.ts';
import type { Table } from './table.ts';

const DueItem = z.object({ pk: z.string(), sk: z.string(), due_sk: z.string() });
type DueItem = z.infer<typeof DueItem>;

/** Which part of a partition is listed: up to a date or a moment, or after it. Else everything. */
type Bounds = { by?: string; after?: never } | { by?: never; after: string };

/**
 * Yields what is in these partitions of the index, of each the longest due first: what is due on or
 * before the date, or at or before the moment, `by`, or what is due later than `after`.
 */
export async function* listDueItems(
  table: Pick<Table, 'queryPages'>,
  { partitions, by, after }: { partitions: readonly string[] } & Bounds,
): AsyncGenerator<DueItem> {
  const bound = by ?? after;
  const comparison = by === undefined ? '>' : '<';
  for (const partition of partitions) {
    const pages = table.queryPages({
      IndexName: dueIndex,
      KeyConditionExpression:
        bound === undefined
          ? 'due_pk = :partition'
          : `due_pk = :partition AND due_sk ${comparison} :bound`,
      ExpressionAttributeValues: {
        ':partition': partition,
        ...(bound !== undefined && { ':bound': dueUntil(bound) }),
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

/** The tenant that an item of a partition of tenants' items belongs to. */
export const tenantOf = (key: Pick<Key, 'pk'>): TenantName => {
  const name = tenantNameOf(key);
  if (name === undefined) throw new Error('an item of the due index belongs to no tenant');
  return name;
};

/** Yields the tenants of what is due at this moment in a partition of tenants' items. */
export async function* listDueTenants(
  table: Pick<Table, 'queryPages'>,
  { partition, now }: { partition: string; now: Date },
): AsyncGenerator<TenantName> {
  for await (const key of listDue(table, { partitions: [partition], by: now.toISOString() })) {
    yield tenantOf(key);
  }
}
