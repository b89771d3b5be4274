// Resumes imports: due imports, imports whose run died, and imports that an operator resumes.

import * as z from 'zod/mini';
import { type DueItem, listDueItems, tenantOf } from '../background/due-index.store.ts';
import { dueImportPartition, dueSetAtOf, dueTimeOf, dueUntil } from '../table/due-keys.ts';
import { type FieldUpdate, updateAction } from '../table/field-updates.ts';
import { importKey, type TenantName } from '../table/keys.ts';
import type { Table, UpdateAction } from '../table/table.ts';
import { dueAfterRequest } from './import-runs.store.ts';
import {
  aheadOf,
  importsInTurn,
  isSetAhead,
  startTimeoutMilliseconds,
  usualStartMilliseconds,
} from './import-timing.ts';

const DueImport = z.object({ due_sk: z.optional(z.string()) });

/** The conditional change that requests an import again. It continues from its checkpoint. */
const requestAgainAction = (
  name: TenantName,
  { now, ...requirement }: { now: Date } & Pick<FieldUpdate, 'expected' | 'condition' | 'values'>,
): UpdateAction =>
  updateAction(importKey(name), {
    set: { status: 'requested', due_sk: dueAfterRequest(name, now).due_sk, stuck: undefined },
    ...requirement,
  });

export const openImportResumption = (
  table: Table,
  { clock = () => new Date() }: { clock?: () => Date },
) => {
  /** A manual run can have a past time. It then uses the current time. */
  const presentOf = (moment: Date): Date => new Date(Math.max(moment.getTime(), clock().getTime()));
  /** The imports that are due now or would be if they did not start. Not those that wait longer. */
  const listDueSoon = (now: Date): AsyncGenerator<DueItem> => {
    const by = new Date(now.getTime() + startTimeoutMilliseconds).toISOString();
    return listDueItems(table, { partitions: [dueImportPartition], by });
  };

  return {
    /** Lists imports that a clock running ahead has deferred. Otherwise they resume too late. */
    listAhead: async function* (moment: Date): AsyncGenerator<DueItem> {
      const now = presentOf(moment);
      const later = listDueItems(table, { partitions: [dueImportPartition], after: aheadOf(now) });
      for await (const item of later) if (isSetAhead(dueSetAtOf(item.due_sk), now)) yield item;
    },

    /** Whether more imports run, are requested or are due than can run without taking turns. */
    areManyUnfinished: async (now: Date): Promise<boolean> => {
      let count = 0;
      for await (const _ of listDueSoon(now)) {
        count += 1;
        if (count > importsInTurn) return true;
      }
      return false;
    },

    /** The number of imports that were requested a minute ago or earlier and have not started. */
    countNotStarted: async (now: Date): Promise<number> => {
      let count = 0;
      for await (const { due_sk } of listDueSoon(now)) {
        const requestedAt = Date.parse(dueTimeOf(due_sk)) - startTimeoutMilliseconds;
        const isRequested = Date.parse(dueSetAtOf(due_sk) ?? '') === requestedAt;
        if (isRequested && now.getTime() - requestedAt >= usualStartMilliseconds) count += 1;
      }
      return count;
    },

    /** Requests a due import again. Returns false if the import is not due any more. */
    resume: async (name: TenantName, moment: Date): Promise<boolean> => {
      const now = presentOf(moment);
      const condition = 'due_pk = :partition AND due_sk < :until';
      const values = { ':partition': dueImportPartition, ':until': dueUntil(now.toISOString()) };
      if (await table.update(requestAgainAction(name, { now, condition, values }))) return true;
      const { due_sk } = DueImport.parse((await table.get(importKey(name))) ?? {});
      if (due_sk === undefined || !isSetAhead(dueSetAtOf(due_sk), now)) return false;
      return table.update(requestAgainAction(name, { now, expected: { due_sk } }));
    },

    /**
     * Requests an unfinished import again immediately, even if it waits. A current run loses its
     * lease. Returns false if the import has ended.
     */
    resumeAtOnce: (name: TenantName, now: Date): Promise<boolean> =>
      table.update(requestAgainAction(name, { now, condition: 'attribute_exists(due_pk)' })),

    /**
     * Requests every running import again and returns their number. Only for a service that has
     * just started and knows that no run exists.
     */
    voidLeases: async (now: Date): Promise<number> => {
      let voided = 0;
      for await (const key of listDueItems(table, { partitions: [dueImportPartition] })) {
        const change = { now, expected: { status: 'running' } };
        if (await table.update(requestAgainAction(tenantOf(key), change))) voided += 1;
      }
      return voided;
    },
  };
};
