// Lists and moves the work in the due index: dates with scheduled entries, unfinished imports, and
// connections with tokens to renew.

import * as z from 'zod/mini';
import { dueIndex, dueSortOf, dueTimeOf, dueUntil } from '../table/due-keys.ts';
import { updateAction } from '../table/field-updates.ts';
import { type Key, keyText, type TenantName, tenantNameOf } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { maximumBackoffMinutes, type StuckReason, StuckState, stuckAfter } from './stuck-work.ts';

/** An item in the index. The index may be a moment behind the item. */
export const DueItem = z.object({ pk: z.string(), sk: z.string(), due_sk: z.string() });
export type DueItem = z.infer<typeof DueItem>;

export const dueKeyOf = ({ pk, sk }: DueItem): Key => ({ pk, sk });

/** An item with stuck work. */
export type StuckItem = { item: DueItem; stuck: StuckState; nextAttemptAt: string };

/** The state of stuck work; `undefined` if the work is not stuck. */
export const stuckStateOf = ({ stuck }: Item): StuckState | undefined =>
  stuck === undefined ? undefined : StuckState.parse(stuck);

/** Work that is due up to a date or moment, or later. Without bounds, all work. */
type Bounds = { by?: string; after?: never } | { by?: never; after: string };

/** Yields the work of a partition of the index in pages, by the time at which it is due. */
async function* listDuePages(
  table: Pick<Table, 'queryPages'>,
  { partition, by, after }: { partition: string } & Bounds,
): AsyncGenerator<DueItem[]> {
  const bound = by ?? after;
  const comparison = by === undefined ? '>' : '<';
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
  for await (const page of pages) yield page.map((item) => DueItem.parse(item));
}

/** Yields the work of several partitions. */
export async function* listDueItems(
  table: Pick<Table, 'queryPages'>,
  { partitions, ...bounds }: { partitions: readonly string[] } & Bounds,
): AsyncGenerator<DueItem> {
  for (const partition of partitions) {
    for await (const page of listDuePages(table, { partition, ...bounds })) yield* page;
  }
}

/** The tenant that an item of the index belongs to. */
export const tenantOf = (key: Pick<Key, 'pk'>): TenantName => {
  const name = tenantNameOf(key);
  if (name === undefined) throw new Error('an item of the due index belongs to no tenant');
  return name;
};

export type DueWork = ReturnType<typeof openDueWork>;

/** Moves items in the index. An item that another process has moved stays unchanged. */
export const openDueWork = (table: Table) => ({
  /** Yields the due work of a partition in pages, by the time at which it was due. */
  list: (partition: string, now: Date): AsyncGenerator<DueItem[]> =>
    listDuePages(table, { partition, by: now.toISOString() }),

  /**
   * Moves an item to the back of the queue. Returns false if another process has moved it.
   * @param options.hasProgressed whether to end its stuck state
   */
  putBack: (
    item: DueItem,
    { now, hasProgressed }: { now: Date; hasProgressed: boolean },
  ): Promise<boolean> =>
    table.update(
      updateAction(dueKeyOf(item), {
        set: {
          due_sk: dueSortOf(item, now.toISOString()),
          ...(hasProgressed && { stuck: undefined }),
        },
        expected: { due_sk: item.due_sk },
      }),
    ),

  /**
   * Postpones an item after a failure, with backoff.
   * @returns `not_due` if another process has moved it; `stuck_before` if it was stuck already
   */
  putOff: async (
    item: DueItem,
    { reason, now }: { reason: StuckReason; now: Date },
  ): Promise<'stuck' | 'stuck_before' | 'not_due'> => {
    const current = await table.get(dueKeyOf(item));
    if (current?.due_sk !== item.due_sk) return 'not_due';
    const before = stuckStateOf(current);
    const { stuck, nextAttemptAt } = stuckAfter(before, { reason, now });
    const isPutOff = await table.update(
      updateAction(dueKeyOf(item), {
        set: { due_sk: dueSortOf(item, nextAttemptAt), stuck },
        expected: { due_sk: item.due_sk },
      }),
    );
    if (!isPutOff) return 'not_due';
    return before === undefined ? 'stuck' : 'stuck_before';
  },

  /** The stuck work of these partitions, by its next attempt. */
  listStuck: async (partitions: readonly string[], now: Date): Promise<StuckItem[]> => {
    // Stuck work is due within the longest backoff, and its sort key has a time of day.
    const by = new Date(now.getTime() + maximumBackoffMinutes * 60_000).toISOString();
    const listed = new Map<string, DueItem>();
    for await (const item of listDueItems(table, { partitions, by })) {
      if (dueTimeOf(item.due_sk).includes('T')) listed.set(keyText(item), item);
    }
    const items = await table.getMany([...listed.values()].map(dueKeyOf));
    return [...items.values()]
      .flatMap((it): StuckItem[] => {
        const stuck = stuckStateOf(it);
        if (stuck === undefined || it.due_sk === undefined) return [];
        const item = DueItem.parse(it);
        return [{ item, stuck, nextAttemptAt: dueTimeOf(item.due_sk) }];
      })
      .sort((one, other) => (one.nextAttemptAt < other.nextAttemptAt ? -1 : 1));
  },

  /** Makes stuck work due now and removes its stuck state. Returns false if it is not stuck. */
  retry: (item: DueItem, now: Date): Promise<boolean> =>
    table.update(
      updateAction(dueKeyOf(item), {
        set: { due_sk: dueSortOf(item, now.toISOString()), stuck: undefined },
        condition: 'attribute_exists(#stuck) AND attribute_exists(#due_sk)',
      }),
    ),
});
