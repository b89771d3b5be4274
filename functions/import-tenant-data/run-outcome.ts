// How a run of an import ends, and what is written of it: the import is complete, continues in
// another run, waits, or has failed.

import type { TenantStatus } from '#shared/domain/tenants.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import { type Import, type Imports, suspendedReason } from '#shared/store/imports.ts';
import type { TenantName } from '#shared/store/keys.ts';
import { decideOnFailure, ImportFailure } from './failure-policy.ts';
import { DeadlineNear } from './platform-retry.ts';

/** Another import has taken the place of this one, or it was ended: there is nothing more to do. */
export class Superseded extends Error {}

/** An import under way: what is known of it from its last write. */
export type Run = { name: TenantName; importId: string; state: Import };

export const logFieldsOf = ({ name, importId }: Pick<Run, 'name' | 'importId'>) => ({
  application_id: name.applicationId,
  schema_name: name.schemaName,
  import_id: importId,
});

export const openRunOutcomes = ({
  imports,
  clock,
  log,
  metrics,
}: {
  imports: Pick<Imports, 'finish' | 'release' | 'defer' | 'suspend'>;
  clock: () => Date;
  log: Log;
  metrics: Metrics;
}) => {
  const finish = async (
    { name, importId }: Run,
    { reason, tenantStatus }: { reason: string | null; tenantStatus: TenantStatus },
  ): Promise<string> => {
    const finishedAt = clock().toISOString();
    if (!(await imports.finish(name, { importId, finishedAt, reason, tenantStatus }))) {
      return 'superseded';
    }
    if (tenantStatus === 'disconnected') metrics.tenantDisconnected();
    else if (reason !== null) metrics.importFailed();
    return reason ?? 'success';
  };

  return {
    giveUp: (run: Run): Promise<string> =>
      finish(run, { reason: 'gave_up', tenantStatus: 'import_failed' }),

    /** Nothing was tried, so nothing counts: it waits for its application to be resumed. */
    suspend: async ({ name, importId }: Run): Promise<string> =>
      (await imports.suspend(name, { importId, now: clock() }))
        ? `deferred_${suspendedReason}`
        : 'superseded',

    complete: (run: Run): Promise<string> =>
      run.state.checkpoint.journalsRefused > 0
        ? finish(run, { reason: 'journals_refused', tenantStatus: 'import_failed' })
        : finish(run, { reason: null, tenantStatus: 'active' }),

    /** Writes down how a run ended that could not go on. Faults of ours are thrown on. */
    interrupt: async (run: Run, error: unknown): Promise<string> => {
      const { name, importId, state } = run;
      const now = clock();
      if (error instanceof Superseded) return 'superseded';
      if (error instanceof DeadlineNear) {
        return (await imports.release(name, { importId, now })) ? 'continues' : 'superseded';
      }
      const decision = decideOnFailure(error, state, now);
      const { reason } = decision;
      const isOurFault = !(error instanceof PlatformFailure || error instanceof ImportFailure);
      if (!isOurFault) log.warn('the import met a failure', { ...logFieldsOf(run), error });
      // Being rate limited has a bound of its own, in days.
      const runsWithoutProgress = reason === 'rate_limited' ? 0 : state.runsWithoutProgress;
      const deferTo = async (until: Date): Promise<string> =>
        (await imports.defer(name, { importId, until, reason, runsWithoutProgress }))
          ? `deferred_${reason}`
          : 'superseded';
      const outcome =
        'goesOnAt' in decision ? await deferTo(decision.goesOnAt) : await finish(run, decision);
      if (isOurFault) throw error;
      return outcome;
    },
  };
};
