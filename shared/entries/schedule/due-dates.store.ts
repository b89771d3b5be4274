// Dates of tenants on which scheduled entries are to be posted. The due index lists one item for
// each, however many entries are scheduled for it.

import * as z from 'zod/mini';
import { stuckStateOf } from '../../background/due-index.store.ts';
import type { StuckWork } from '../../background/stuck-work.ts';
import { dueDatePlace, dueTimeOf } from '../../table/due-keys.ts';
import { dateOfPlace, dueDateKey, type Key, keyText, type TenantName } from '../../table/keys.ts';
import type { Table, UpdateAction } from '../../table/table.ts';

const StoredDueDate = z.object({ revision: z.int() });

/**
 * The action that lists a date as one with scheduled entries. It is part of the transaction that
 * schedules an entry, and counts the revision up. So a run that found no more entries of the date
 * and removes it, on condition of the revision it read before, cannot lose an entry.
 *
 * Whoever schedules entries of a tenant for one date writes this item. Revisit, with several items
 * a date, when the clients of one tenant schedule more than some tens of requests a second for it.
 */
export const dueDateAction = (name: TenantName, date: string): UpdateAction => {
  const update = dueDateKey(name, date);
  const { due_pk, due_sk } = dueDatePlace(update);
  return {
    update,
    expression:
      'SET due_pk = :duePk, due_sk = if_not_exists(due_sk, :dueSk), ' +
      'revision = if_not_exists(revision, :zero) + :one',
    values: { ':duePk': due_pk, ':dueSk': due_sk, ':zero': 0, ':one': 1 },
  };
};

export type DueDates = ReturnType<typeof openDueDates>;

export const openDueDates = (table: Table) => ({
  /** The revision of a date; `undefined` if nothing is scheduled for it. */
  findRevision: async (dueDate: Key): Promise<number | undefined> => {
    const item = await table.get(dueDate);
    return item && StoredDueDate.parse(item).revision;
  },

  /** Takes a date off the list. False if it was scheduled for since then, or is gone. */
  remove: async (dueDate: Key, revision: number): Promise<boolean> => {
    const condition = 'revision = :revision';
    const removed = await table.consume(dueDate, { condition, values: { ':revision': revision } });
    return removed !== undefined;
  },

  /** Those of these dates whose entries could not be posted. */
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
