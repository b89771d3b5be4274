// Ways in which an application can delay the scheduled entries of another, and runs of the
// schedule.

import type { ScheduledEvent } from 'aws-lambda';
import { createHandler } from '#functions/post-scheduled-entries/handler.ts';
import type { RunSummary } from '#shared/endpoint/schedule.ts';
import { dueDateKey, sheetKey, type TenantName } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { fullRows } from '../builders/full-sheets.ts';
import { openTestLedger } from '../builders/ledger.ts';
import { inShardOf, seedBacklog } from '../builders/scheduled-backlog.ts';
import { lambdaContext } from '../events/lambda-events.ts';
import { postingStoresOf } from '../readers/due-entries.ts';
import { keepLog } from '../recorders/log.ts';
import { keepMetrics } from '../recorders/metrics.ts';

export const day = '2026-03-25';
const hostile: TenantName = { applicationId: 'app1', schemaName: 'hostile' };

type Ledger = Awaited<ReturnType<typeof openTestLedger>>;

/** Forty entries of the innocent neighbour, in the shard of the hostile one. */
const innocentCount = 40;

export const openNeighbours = async () => {
  const ledger: Ledger = await openTestLedger();
  const innocent = inShardOf(hostile, 'app2');
  await seedBacklog(ledger, innocent, { date: day, count: innocentCount });

  return {
    ledger,
    hostile,

    /** Schedules thousands of entries for one date, whose sheet is full. */
    fillDate: async (count: number): Promise<void> => {
      await seedBacklog(ledger, hostile, { date: day, count });
      const sheet = { lastSequence: 1, revision: 1, counted: 1, head: 'f'.repeat(64) };
      const key = sheetKey(hostile, { series: 'MJ', date: day });
      await ledger.seed({ ...key, ...sheet, rows: fullRows() });
    },

    /** Creates tenants, each with an entry that has been due for weeks. */
    makeTenants: async (count: number): Promise<void> => {
      for (let number = 0; number < count; number += 1) {
        const name = { ...hostile, schemaName: `hostile_${number}` };
        await seedBacklog(ledger, name, { date: '2026-01-01', count: 1 });
      }
    },

    /**
     * Runs the schedule at this many minutes after midnight. The time of the run ends after this
     * many writes.
     */
    run: async (
      minutes: number,
      { writes = Number.POSITIVE_INFINITY, table = ledger.table } = {},
    ): Promise<RunSummary & { seconds: number }> => {
      const startedAt = performance.now();
      const time = new Date(Date.parse(`${day}T00:00:00.000Z`) + minutes * 60_000).toISOString();
      let written = 0;
      const counting: Table = {
        ...table,
        tryTransact: (transaction) => {
          written += 1;
          return table.tryTransact(transaction);
        },
      };
      const handler = createHandler({
        ...postingStoresOf(counting),
        clock: () => new Date(time),
        log: keepLog(),
        metrics: keepMetrics(),
      });
      // So little is left then that no step begins.
      const getRemainingTimeInMillis = () => (written < writes ? 300_000 : 15_000);
      const context = { ...lambdaContext(), getRemainingTimeInMillis };
      const summary = await handler({ time } as ScheduledEvent, context);
      return { ...summary, seconds: (performance.now() - startedAt) / 1_000 };
    },

    /** How many of the innocent neighbour's entries are still scheduled. */
    countWaiting: async (): Promise<number> =>
      (await ledger.scan()).filter(
        ({ pk, kind, status }) =>
          pk === dueDateKey(innocent, day).pk && kind === 'entry' && status === 'scheduled',
      ).length,
  };
};
