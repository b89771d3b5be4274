// Resumes the imports that are due: imports that waited, and imports whose run died. Imports of a
// suspended application stay due until it is resumed.

import {
  openBackgroundTurns,
  type TurnDependencies,
  type TurnLimits,
} from '#shared/background/background-turns.service.ts';
import { createScheduleHandler } from '#shared/endpoint/schedule.ts';
import { gaveWayReason } from '#shared/imports/import-runs.store.ts';
import { continuedBeside } from '#shared/imports/import-timing.ts';
import type { Imports } from '#shared/imports/imports.store.ts';
import { dueImportPartition } from '#shared/table/due-keys.ts';
import type { TenantName } from '#shared/table/keys.ts';

export type Dependencies = TurnDependencies & {
  imports: Pick<Imports, 'countNotStarted' | 'find' | 'listAhead' | 'resume'>;
};

/**
 * The maximum number of imports that a run resumes for one application, every minute. Each import
 * occupies one execution of the import function for up to five minutes.
 */
export const resumedPerApplication = 20;

const limits: TurnLimits = {
  concurrency: 4,
  turnMilliseconds: 5_000,
  turnUnits: 100,
  turnsPerApplication: resumedPerApplication,
  reserveMilliseconds: 15_000,
};

/** This function only marks imports as requested. The table's stream then starts them. */
export const createHandler = (dependencies: Dependencies) => {
  const { imports, clock, log, metrics } = dependencies;
  const turns = openBackgroundTurns(dependencies);
  return createScheduleHandler(
    async (run) => {
      const counts = { resumed: 0, not_due: 0, not_started: 0, waiting: 0 };
      let continued = 0;
      let maximum: number | undefined;
      let longestWait = 0;
      const resume = async (name: TenantName, dueAt: string): Promise<'done'> => {
        const before = await imports.find(name);
        if (before?.status === 'waiting' && before.reason === gaveWayReason) {
          longestWait = Math.max(longestWait, clock().getTime() - Date.parse(dueAt));
          // It keeps its place in the due index.
          maximum ??= continuedBeside(await imports.countNotStarted(clock()));
          if (continued >= maximum) {
            counts.waiting += 1;
            return 'done';
          }
          continued += 1;
        }
        const resumed = await imports.resume(name, run.scheduledFor);
        counts[resumed ? 'resumed' : 'not_due'] += 1;
        // The stream should have started this import long ago.
        if (resumed && before?.status === 'requested') counts.not_started += 1;
        return 'done';
      };
      // A manual run can have a time in the past. It still resumes every import that is due now.
      const now = new Date(Math.max(run.scheduledFor.getTime(), clock().getTime()));
      const summary = await turns.run(
        { ...run, scheduledFor: now },
        {
          ...limits,
          partitions: [dueImportPartition],
          listAhead: imports.listAhead,
          begin: (_, name, dueAt) => () => resume(name, dueAt),
        },
      );
      metrics.importsNotStarted(counts.not_started);
      metrics.importTurnWait(Math.floor(longestWait / 60_000));
      return { ...counts, ...summary };
    },
    { log, metrics },
  );
};
