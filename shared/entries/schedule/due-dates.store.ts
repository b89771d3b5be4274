// Due dates: the dates with scheduled entries of a tenant. Each date has one item in the due index.

import * as z from 'zod/mini';
import { stuckStateOf } from '../../background/due-index.store.ts';
import type { StuckWork } from '../../background/stuck-work.ts';
import { dueDatePlace, dueTimeOf } from '../../table/due-keys.ts';
import { updateAction } from '../../table/field-updates.ts';
import { dateOfPlace, dueDateKey, type Key, keyText, type TenantName } from '../../table/keys.ts';
import type { Table, UpdateAction } from '../../table/table.ts';

const StoredDueDate = z.object({ revision: z.int() });

/**
 * The action that lists a date in the due index. It is part of the transaction that schedules an
 * entry, and it increases the revision. A run removes the date only at the revision that it read
 * before it found no entries, so it cannot lose an entry.
 *
 * All requests that schedule entries for a tenant and date write this item. Revisit, with several
 * items per date, when a tenant schedules more than some tens of requests per second for one date.
 */
export const dueDateAction = (name: TenantName, date: string): UpdateAction => {
  const key = dueDateKey(name, date);
  const { due_pk, due_sk } = dueDatePlace(key);
  return updateAction(key, { set: { due_pk }, initial: { due_sk }, increment: ['revision'] });
};

export type DueDates = ReturnType<typeof openDueDates>;

export const openDueDates = (table: Table) => ({
  /** The revision of a date; `undefined` if nothing is scheduled for it. */
  findRevision: async (dueDate: Key): Promise<number | undefined> => {
    const item = await table.get(dueDate);
    return item && StoredDueDate.parse(item).revision;
  },

  /** Removes a date. Returns false if its revision has changed or it does not exist. */
  remove: async (dueDate: Key, revision: number): Promise<boolean> => {
    const condition = 'revision = :revision';
    const removed = await table.consume(dueDate, { condition, values: { ':revision': revision } });
    return removed !== undefined;
  },

  /** The dates with stuck entries, among these dates. */
  findStuck: async (
    name: TenantName,
    dates: readonly string[],
  ): Promise<ReadonlyMap<string, StuckWork>> => {
    if (dates.length === 0) return new Map();
    const keys = dates.map((date) => dueDateKey(name, date));
    const items = await table.getMany(keys);
    return new Map(
      keys.flatMap((key): [string, StuckWork][] => {
        const item = items.get(keyText(key));
        const stuck = item && stuckStateOf(item);
        if (stuck === undefined) return [];
        return [[dateOfPlace(key), { ...stuck, nextAttemptAt: dueTimeOf(String(item?.due_sk)) }]];
      }),
    );
  },
});
