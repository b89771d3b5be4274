// Due dates: the dates with scheduled entries of a tenant. Each date has one item in the due index.

import * as z from 'zod/mini';
import { stuckStateOf } from '../../background/due-index.store.ts';
import type { StuckWork } from '../../background/stuck-work.ts';
import { dueTimeOf } from '../../table/due-keys.ts';
import { dateOfPlace, dueDateKey, type Key, keyText, type TenantName } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';

const StoredDueDate = z.object({ revision: z.int() });

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
