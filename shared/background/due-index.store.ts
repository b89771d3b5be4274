// What is due, as the sparse index lists it: dates with scheduled entries, imports that have not
// ended, and connections whose tokens are to be renewed.

import * as z from 'zod/mini';
import { dueIndex, dueSortOf, dueTimeOf, dueUntil } from '../table/due-keys.ts';
import { type Key, keyText, type TenantName, tenantNameOf } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { type StuckReason, StuckState, stuckAfter } from './stuck-work.ts';

/** An item that is due, with its place in the index. The index may be a moment behind the item. */
export const DueItem = z.object({ pk: z.string(), sk: z.string(), due_sk: z.string() });
export type DueItem = z.infer<typeof DueItem>;

export const dueKeyOf = ({ pk, sk }: DueItem): Key => ({ pk, sk });

/** An item whose work is stuck; it is tried again at `nextAttemptAt`. */
export type StuckItem = { item: DueItem; stuck: StuckState; nextAttemptAt: string };

/** The longest pause before stuck work is tried again is a day. */
const maximumPauseMilliseconds = 24 * 60 * 60_000;

/** How an item's work is stuck; `undefined` if it is not. */
export const stuckStateOf = ({ stuck }: Item): StuckState | undefined =>
  stuck === undefined ? undefined : StuckState.parse(stuck);

/** Which part of a partition is listed: up to a date or a moment, or after it. Else everything. */
type Bounds = { by?: string; after?: never } | { by?: never; after: string };

/**
 * Yields what a partition of the index lists, in pages, the longest due first: what is due on or
 * before the date, or at or before the moment, `by`, or what is due later than `after`.
 */
export async function* listDuePages(
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

/** Yields the same of several partitions, item by item. */
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

/** Changes where items stand in the index. Nothing changes for an item that has moved meanwhile. */
export const openDueWork = (table: Table) => ({
  /** Yields what is due in a partition at this moment, in pages, the longest due first. */
  list: (partition: string, now: Date): AsyncGenerator<DueItem[]> =>
    listDuePages(table, { partition, by: now.toISOString() }),

  /**
   * Sends an item to the back of the queue. False if it has moved meanwhile.
   * @param options.hasProgressed whether it is stuck no more, if it was
   */
  putBack: (
    item: DueItem,
    { now, hasProgressed }: { now: Date; hasProgressed: boolean },
  ): Promise<boolean> =>
    table.update({
      update: dueKeyOf(item),
      expression: `SET due_sk = :back${hasProgressed ? ' REMOVE stuck' : ''}`,
      condition: 'due_sk = :listed',
      values: { ':back': dueSortOf(item, now.toISOString()), ':listed': item.due_sk },
    }),

  /** Puts an item off whose work failed, for longer each time. `stuck_before` if it was stuck. */
  putOff: async (
    item: DueItem,
    { reason, now }: { reason: StuckReason; now: Date },
  ): Promise<'stuck' | 'stuck_before' | 'not_due'> => {
    const found = await table.get(dueKeyOf(item));
    if (found?.due_sk !== item.due_sk) return 'not_due';
    const before = stuckStateOf(found);
    const { stuck, nextAttemptAt } = stuckAfter(before, { reason, now });
    const isPutOff = await table.update({
      update: dueKeyOf(item),
      expression: 'SET due_sk = :next, stuck = :stuck',
      condition: 'due_sk = :listed',
      values: {
        ':next': dueSortOf(item, nextAttemptAt),
        ':stuck': stuck,
        ':listed': item.due_sk,
      },
    });
    if (!isPutOff) return 'not_due';
    return before === undefined ? 'stuck' : 'stuck_before';
  },

  /** What is stuck in these partitions, first what is tried again next. */
  listStuck: async (partitions: readonly string[], now: Date): Promise<StuckItem[]> => {
    // What is stuck is due within a day, and its sort key has a time.
    const by = new Date(now.getTime() + maximumPauseMilliseconds).toISOString();
    const listed = new Map<string, DueItem>();
    for await (const item of listDueItems(table, { partitions, by })) {
      if (dueTimeOf(item.due_sk).includes('T')) listed.set(keyText(item), item);
    }
    const found = await table.getMany([...listed.values()].map(dueKeyOf));
    return [...found.values()]
      .flatMap((it): StuckItem[] => {
        const stuck = stuckStateOf(it);
        if (stuck === undefined || it.due_sk === undefined) return [];
        const item = DueItem.parse(it);
        return [{ item, stuck, nextAttemptAt: dueTimeOf(item.due_sk) }];
      })
      .sort((one, other) => (one.nextAttemptAt < other.nextAttemptAt ? -1 : 1));
  },

  /** Makes stuck work due now, as if it had never failed. False if it is not stuck any more. */
  retry: (item: DueItem, now: Date): Promise<boolean> =>
    table.update({
      update: dueKeyOf(item),
      expression: 'SET due_sk = :now REMOVE stuck',
      condition: 'attribute_exists(stuck) AND attribute_exists(due_sk)',
      values: { ':now': dueSortOf(item, now.toISOString()) },
    }),
});
