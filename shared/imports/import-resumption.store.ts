// How imports go on that nobody is at: those that are due, those whose run died, and any that an
// operator lets go on.

import * as z from 'zod/mini';
import { type DueItem, listDueItems, tenantOf } from '../background/due-index.store.ts';
import { dueImportPartition, dueSetAtOf, dueUntil } from '../table/due-keys.ts';
import { importKey, type TenantName } from '../table/keys.ts';
import type { Item, Table, UpdateAction } from '../table/table.ts';
import { dueAfterRequest } from './import-runs.store.ts';
import { aheadOf, isSetAhead } from './import-timing.ts';

const DueImport = z.object({ due_sk: z.optional(z.string()) });

/** The change that asks for an import to go on from its checkpoint, on a condition. */
const requestedAgain = (
  name: TenantName,
  { now, condition, values }: { now: Date; condition: string; values?: Item },
): UpdateAction => ({
  update: importKey(name),
  expression: 'SET #status = :requested, due_sk = :next REMOVE stuck',
  condition,
  names: { '#status': 'status' },
  values: { ...values, ':requested': 'requested', ':next': dueAfterRequest(name, now).due_sk },
});

export const openImportResumption = (
  table: Table,
  { clock = () => new Date() }: { clock?: () => Date },
) => {
  /** A run for a moment that is past, as one by hand may be, does what is due by now. */
  const presentOf = (moment: Date): Date => new Date(Math.max(moment.getTime(), clock().getTime()));
  return {
    /** What a clock that ran ahead has put off, so that nobody else would look at it in time. */
    listAhead: async function* (moment: Date): AsyncGenerator<DueItem> {
      const now = presentOf(moment);
      const later = listDueItems(table, { partitions: [dueImportPartition], after: aheadOf(now) });
      for await (const item of later) if (isSetAhead(dueSetAtOf(item.due_sk), now)) yield item;
    },

    /** Asks for a due import to go on from its checkpoint. False where it is not due any more. */
    resume: async (name: TenantName, moment: Date): Promise<boolean> => {
      const now = presentOf(moment);
      const condition = 'due_pk = :partition AND due_sk < :until';
      const values = { ':partition': dueImportPartition, ':until': dueUntil(now.toISOString()) };
      if (await table.update(requestedAgain(name, { now, condition, values }))) return true;
      const { due_sk } = DueImport.parse((await table.get(importKey(name))) ?? {});
      if (due_sk === undefined || !isSetAhead(dueSetAtOf(due_sk), now)) return false;
      const seen = { condition: 'due_sk = :seen', values: { ':seen': due_sk } };
      return table.update(requestedAgain(name, { now, ...seen }));
    },

    /**
     * Asks for an import that has not ended to go on at once, whatever it waits for. A run that is
     * at it writes nothing more. False if it has ended.
     */
    resumeAtOnce: (name: TenantName, now: Date): Promise<boolean> =>
      table.update(requestedAgain(name, { now, condition: 'attribute_exists(due_pk)' })),

    /**
     * Lets every import go on whose run is taken to be alive, for a service that has just started
     * and knows that none is. Returns how many there are.
     */
    voidLeases: async (now: Date): Promise<number> => {
      let voided = 0;
      for await (const key of listDueItems(table, { partitions: [dueImportPartition] })) {
        const condition = '#status = :running';
        const change = { now, condition, values: { ':running': 'running' } };
        if (await table.update(requestedAgain(tenantOf(key), change))) voided += 1;
      }
      return voided;
    },
  };
};
