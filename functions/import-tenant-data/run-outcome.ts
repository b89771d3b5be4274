// How a run of an import ends, and what is written of it: the import is complete, continues in
// another run, waits, or has failed.

import type { ImportFailureReport } from '#shared/imports/import-report.ts';
import { type Import, type Imports, suspendedReason } from '#shared/imports/imports.store.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import type { TenantName } from '#shared/table/keys.ts';
import type { TenantStatus } from '#shared/tenants/tenants.ts';
import { decideOnFailure, ImportFailure } from './failure-policy.ts';
import { DeadlineNear } from './platform-retry.ts';

/** Another run or import has taken the place of this one, or it has ended. */
export class Superseded extends Error {}

/** An import under way: what is known of it from its last write. */
export type Run = { name: TenantName; importId: string; runId: string; state: Import };

export const logFieldsOf = ({ name, importId }: Pick<Run, 'name' | 'importId'>) => ({
  application_id: name.applicationId,
  schema_name: name.schemaName,
  import_id: importId,
});

/** A failure as it is kept with the import, with what the platform said of it. */
const failureReport = (
  error: unknown,
  { reason, at }: { reason: string; at: string },
): ImportFailureReport => {
  const platformError = error instanceof PlatformFailure ? error.platformError : undefined;
  return { reason, at, platformError: platformError ?? null };
};

/** What the platform itself said of a failure, as the log calls it. */
const platformErrorFields = ({ platformError }: ImportFailureReport) => ({
  code: platformError?.code ?? null,
  message: platformError?.message ?? null,
  trace_id: platformError?.traceId ?? null,
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
    { name }: Run,
    end: Pick<Parameters<Imports['finish']>[1], 'importId' | 'runId' | 'lastFailure'> & {
      reason: string | null;
      tenantStatus: TenantStatus;
    },
  ): Promise<string> => {
    const { reason, tenantStatus } = end;
    const finishedAt = clock().toISOString();
    if (!(await imports.finish(name, { finishedAt, ...end }))) return 'superseded';
    if (tenantStatus === 'disconnected') metrics.tenantDisconnected();
    if (tenantStatus === 'import_failed') metrics.importFailed();
    return reason ?? 'success';
  };

  return {
    /** Nobody has leased the import. */
    giveUp: (run: Run): Promise<string> => {
      const { importId } = run;
      return finish(run, { importId, reason: 'gave_up', tenantStatus: 'import_failed' });
    },

    /** Nothing was tried, so nothing counts: it waits for its application to be resumed. */
    suspend: async ({ name, importId }: Run): Promise<string> =>
      (await imports.suspend(name, { importId, now: clock() }))
        ? `deferred_${suspendedReason}`
        : 'superseded',

    /** One that refused some records is complete too: everything else is there. */
    complete: async (run: Run): Promise<string> => {
      const { importId, runId, state } = run;
      const { accountsRefused, journalsRefused } = state.checkpoint;
      const refused = accountsRefused + journalsRefused;
      const reason = refused > 0 ? 'records_refused' : null;
      const outcome = await finish(run, { importId, runId, reason, tenantStatus: 'active' });
      if (outcome !== 'superseded') metrics.recordsRefused(refused);
      return outcome;
    },

    /** Writes down how a run ended that could not go on. Faults of ours are thrown on. */
    interrupt: async (run: Run, error: unknown): Promise<string> => {
      const { name, importId, runId, state } = run;
      const lease = { importId, runId };
      const now = clock();
      if (error instanceof Superseded) return 'superseded';
      if (error instanceof DeadlineNear) {
        return (await imports.release(name, { ...lease, now })) ? 'continues' : 'superseded';
      }
      const decision = decideOnFailure(error, state, now);
      const { reason } = decision;
      const isOurFault = !(error instanceof PlatformFailure || error instanceof ImportFailure);
      const lastFailure = failureReport(error, { reason, at: now.toISOString() });
      if (!isOurFault) {
        const platform_error = platformErrorFields(lastFailure);
        log.warn('the import met a failure', { ...logFieldsOf(run), error, platform_error });
      }
      // Being rate limited has a bound of its own, in days.
      const runsWithoutProgress = reason === 'rate_limited' ? 0 : state.runsWithoutProgress;
      const deferTo = async (until: Date): Promise<string> => {
        const wait = { ...lease, now, until, reason, lastFailure, runsWithoutProgress };
        return (await imports.defer(name, wait)) ? `deferred_${reason}` : 'superseded';
      };
      const outcome =
        'goesOnAt' in decision
          ? await deferTo(decision.goesOnAt)
          : await finish(run, { ...lease, ...decision, lastFailure });
      if (isOurFault) throw error;
      return outcome;
    },
  };
};
