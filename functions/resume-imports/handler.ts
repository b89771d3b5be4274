// Asks for the imports to go on that are due: those that waited, and those whose run died. Those of
// a suspended application stay due until it is resumed.

import type { Applications } from '#shared/applications/applications.store.ts';
import {
  type BackgroundTurns,
  openBackgroundTurns,
} from '#shared/background/background-turns.service.ts';
import type { DueWork } from '#shared/background/due-index.store.ts';
import { createScheduleHandler } from '#shared/endpoint/schedule.ts';
import type { Imports } from '#shared/imports/imports.store.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { dueImportPartition } from '#shared/table/due-keys.ts';
import type { TenantName } from '#shared/table/keys.ts';

export type Dependencies = {
  applications: Pick<Applications, 'find'>;
  dueWork: DueWork;
  imports: Pick<Imports, 'find' | 'listAhead' | 'resume'>;
  clock: () => Date;
  log: Log;
  metrics: Metrics;
  /** How many turns run at the same time, if not as many as usual. */
  concurrency?: number;
};

/**
 * An application that connects a thousand companies at once gets so many imports resumed per run,
 * every minute. Each holds one of the import function's executions for up to five minutes.
 */
export const resumedPerApplication = 20;

const limits: Omit<Parameters<BackgroundTurns['run']>[1], 'begin' | 'partitions'> = {
  concurrency: 4,
  turnMilliseconds: 5_000,
  turnUnits: 100,
  turnsPerApplication: resumedPerApplication,
  reserveMilliseconds: 15_000,
};

/** The table's stream starts what is asked for here; nothing is imported in this function. */
export const createHandler = (dependencies: Dependencies) => {
  const { imports, clock, log, metrics } = dependencies;
  const turns = openBackgroundTurns(dependencies);
  return createScheduleHandler(
    async (run) => {
      const counts = { resumed: 0, not_due: 0, not_started: 0 };
      const resume = async (name: TenantName): Promise<'done'> => {
        const before = await imports.find(name);
        const resumed = await imports.resume(name, run.scheduledFor);
        counts[resumed ? 'resumed' : 'not_due'] += 1;
        // It was requested so long ago that the stream should have started it.
        if (resumed && before?.status === 'requested') counts.not_started += 1;
        return 'done';
      };
      // A run for a moment that is past, as one by hand may be, resumes what is due by now.
      const now = new Date(Math.max(run.scheduledFor.getTime(), clock().getTime()));
      const summary = await turns.run(
        { ...run, scheduledFor: now },
        {
          ...limits,
          concurrency: dependencies.concurrency ?? limits.concurrency,
          partitions: [dueImportPartition],
          listAhead: imports.listAhead,
          begin: (_, name) => () => resume(name),
        },
      );
      metrics.importsNotStarted(counts.not_started);
      return { ...counts, ...summary };
    },
    { log, metrics },
  );
};
