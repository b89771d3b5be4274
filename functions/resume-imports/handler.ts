// Asks for the imports to go on that are due: those that waited, and those whose run died. Those of
// a suspended application stay due until it is resumed.

import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { type Applications, openSuspensions } from '#shared/store/applications.ts';
import type { Imports } from '#shared/store/imports.ts';
import type { TenantName } from '#shared/store/keys.ts';
import { createScheduleHandler } from '#shared/triggers/schedule.ts';

export type Dependencies = {
  applications: Pick<Applications, 'find'>;
  imports: Pick<Imports, 'find' | 'listDue' | 'resume'>;
  log: Log;
  metrics: Metrics;
};

/** The table's stream starts what is asked for here; nothing is imported in this function. */
export const createHandler = ({ applications, imports, log, metrics }: Dependencies) =>
  createScheduleHandler(
    async ({ scheduledFor }) => {
      const isSuspended = openSuspensions(applications);
      const summary = { resumed: 0, not_due: 0, not_started: 0, suspended: 0, failed: 0 };
      const resume = async (name: TenantName): Promise<void> => {
        const before = await imports.find(name);
        const resumed = await imports.resume(name, scheduledFor);
        summary[resumed ? 'resumed' : 'not_due'] += 1;
        // It was requested so long ago that the stream should have started it.
        if (resumed && before?.status === 'requested') summary.not_started += 1;
      };
      for await (const name of imports.listDue(scheduledFor)) {
        try {
          if (await isSuspended(name.applicationId)) summary.suspended += 1;
          else await resume(name);
        } catch (error) {
          // One import that cannot be read must not hold up the others.
          summary.failed += 1;
          const { applicationId: application_id, schemaName: schema_name } = name;
          log.error('import not resumed', { application_id, schema_name, error });
        }
      }
      metrics.importsNotStarted(summary.not_started);
      if (summary.failed > 0) throw new Error(`${summary.failed} due imports were not resumed`);
      return summary;
    },
    { log, metrics },
  );
