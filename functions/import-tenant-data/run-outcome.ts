// How a run of an import ends: the import is complete, continues in another run, waits or fails.

import type { TenantHistory } from '#shared/history/tenant-history.store.ts';
import { byImport, type NewChange } from '#shared/history/tenant-history.ts';
import { importCountsOf } from '#shared/imports/import-checkpoint.ts';
import type { Import } from '#shared/imports/import-record.store.ts';
import type { ImportFailureReport } from '#shared/imports/import-report.ts';
import { type Imports, suspendedReason } from '#shared/imports/imports.store.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import type { TenantName } from '#shared/table/keys.ts';
import type { Action } from '#shared/table/table.ts';
import type { Log, Metrics } from '#shared/telemetry.ts';
import { tenantFields } from '#shared/tenants/domain-names.ts';
import type { TenantStatus } from '#shared/tenants/tenants.ts';
import { DeadlineNear } from './platform-retry.ts';
import { TurnOver } from './run-turn.ts';

/** Another run or import has replaced this one, or the import has ended. */
export class Superseded extends Error {}

/** A run and the state of its import after the last write. */
export type Run = { name: TenantName; importId: string; runId: string; state: Import };

export const logFieldsOf = ({ name, importId }: Pick<Run, 'name' | 'importId'>) => ({
  ...tenantFields(name),
  import_id: importId,
});

/** The report of a failure that is stored with the import, with the platform's error. */
const failureReport = (
  error: unknown,
  { reason, at }: { reason: string; at: string },
): ImportFailureReport => {
  const platformError = error instanceof PlatformFailure ? error.platformError : undefined;
  return { reason, at, platformError: platformError ?? null };
};

/** The platform's error, as log fields. */
const platformErrorFields = ({ platformError }: ImportFailureReport) => ({
  code: platformError?.code ?? null,
  message: platformError?.message ?? null,
  trace_id: platformError?.traceId ?? null,
});

/** A failure of an import that its platform did not cause. */
export class ImportFailure extends Error {
  readonly reason: 'company_currency_changed';
  constructor(reason: ImportFailure['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/** After a failure, an import continues at a time or ends with a status. */
type FailureDecision = { reason: string } & (
  | { continuesAt: Date }
  | { tenantStatus: Extract<TenantStatus, 'import_failed' | 'disconnected'> }
);

/** The maximum number of consecutive runs without progress. */
export const maximumRunsWithoutProgress = 5;

/** The backoff after a failed run, by the number of earlier runs without progress. */
const backoffMinutes = [1, 1, 5, 15, 60];

const millisecondsPerMinute = 60_000;
const defaultRateLimitSeconds = 60;
const maximumRateLimitSeconds = 24 * 60 * 60;

/** Daily limits end within a day, so a limit for three days will not end. */
const maximumRateLimitedMilliseconds = 3 * 24 * 60 * 60_000;

const after = (now: Date, milliseconds: number): Date => new Date(now.getTime() + milliseconds);

type ImportState = Pick<Import, 'runsWithoutProgress' | 'progressedAt'>;

/** Retries a limited number of times with a growing backoff. */
const retryLater = (
  reason: string,
  { runsWithoutProgress }: ImportState,
  now: Date,
): FailureDecision => {
  const minutes = backoffMinutes[runsWithoutProgress] ?? 60;
  return runsWithoutProgress >= maximumRunsWithoutProgress
    ? { reason, tenantStatus: 'import_failed' }
    : { reason, continuesAt: after(now, minutes * millisecondsPerMinute) };
};

const decideOnPlatformFailure = (
  { reason, retryAfterSeconds }: PlatformFailure,
  state: ImportState,
  now: Date,
): FailureDecision => {
  switch (reason) {
    case 'credentials_refused':
    case 'company_not_found':
      // Only the company's user can restore the access.
      return { reason, tenantStatus: 'disconnected' };
    case 'rate_limited': {
      const limitedMilliseconds = now.getTime() - Date.parse(state.progressedAt);
      if (limitedMilliseconds >= maximumRateLimitedMilliseconds) {
        return { reason, tenantStatus: 'import_failed' };
      }
      const seconds = Math.min(
        retryAfterSeconds ?? defaultRateLimitSeconds,
        maximumRateLimitSeconds,
      );
      return { reason, continuesAt: after(now, seconds * 1000) };
    }
    case 'platform_unavailable':
    case 'platform_timed_out':
      return retryLater(reason, state, now);
    default:
      return { reason, tenantStatus: 'import_failed' };
  }
};

/** Decides what follows an error. Our own faults are retried like the platform's. */
export const decideOnFailure = (error: unknown, state: ImportState, now: Date): FailureDecision => {
  if (error instanceof PlatformFailure) return decideOnPlatformFailure(error, state, now);
  if (error instanceof ImportFailure) {
    return { reason: error.reason, tenantStatus: 'import_failed' };
  }
  return retryLater('internal_error', state, now);
};

/** The end of an import in the history of its tenant. */
const changeOfEnd = (
  { importId, state }: Run,
  {
    finishedAt,
    reason,
    tenantStatus,
  }: { [Field in 'finishedAt' | 'tenantStatus']: string } & {
    reason: string | null;
  },
): NewChange => ({
  ...byImport,
  at: finishedAt,
  what: 'import_ended',
  subject: importId,
  before: {},
  after: {
    tenant_status: tenantStatus,
    reason,
    requested_at: state.requestedAt,
    requested_with_key: state.requestedWithKey ?? null,
    ...importCountsOf(state.checkpoint),
  },
});

/** An application can request an import each minute, and most find nothing new. */
const isWorthRecording = ({ state }: Run, tenantStatus: TenantStatus): boolean => {
  const { accountsImported, journalsImported, accountsRefused, journalsRefused } = state.checkpoint;
  const isEmpty = accountsImported + journalsImported + accountsRefused + journalsRefused === 0;
  return state.modifiedSince === null || tenantStatus !== 'active' || !isEmpty;
};

export const openRunOutcomes = ({
  imports,
  history,
  clock,
  log,
  metrics,
}: {
  imports: Pick<Imports, 'finish' | 'release' | 'giveWay' | 'defer' | 'suspend'>;
  history: Pick<TenantHistory, 'recordWith'>;
  clock: () => Date;
  log: Log;
  metrics: Metrics;
}) => {
  const finish = async (
    run: Run,
    end: Pick<Parameters<Imports['finish']>[1], 'importId' | 'runId' | 'lastFailure'> & {
      reason: string | null;
      tenantStatus: TenantStatus;
    },
  ): Promise<string> => {
    const { reason, tenantStatus } = end;
    const finishedAt = clock().toISOString();
    const change = changeOfEnd(run, { finishedAt, reason, tenantStatus });
    const write = isWorthRecording(run, tenantStatus)
      ? (actions: Action[]) => history.recordWith(run.name, actions, { change })
      : undefined;
    const isFinished = await imports.finish(run.name, { finishedAt, ...end }, write);
    if (!isFinished) return 'superseded';
    if (tenantStatus === 'disconnected') metrics.tenantDisconnected();
    if (tenantStatus === 'import_failed') metrics.importFailed();
    return reason ?? 'success';
  };

  const endTurn = async (
    { name, importId, runId }: Run,
    { givesWay, now }: { givesWay: boolean; now: Date },
  ): Promise<string> => {
    const end = givesWay ? imports.giveWay : imports.release;
    if (!(await end(name, { importId, runId, now }))) return 'superseded';
    return givesWay ? 'gave_way' : 'continues';
  };

  return {
    /** Ends an import that no run has leased. */
    giveUp: (run: Run): Promise<string> => {
      const { importId } = run;
      return finish(run, { importId, reason: 'gave_up', tenantStatus: 'import_failed' });
    },

    /** Pauses until the application is resumed. This does not count as a run without progress. */
    suspend: async ({ name, importId }: Run): Promise<string> =>
      (await imports.suspend(name, { importId, now: clock() }))
        ? `deferred_${suspendedReason}`
        : 'superseded',

    /** An import with refused records is complete too. */
    complete: async (run: Run): Promise<string> => {
      const { importId, runId, state } = run;
      const { accountsRefused, journalsRefused, balancesReason } = state.checkpoint;
      const refused = accountsRefused + journalsRefused;
      // Only the user can give access to reports.
      const lacksReports = balancesReason === 'reports_not_permitted' ? balancesReason : null;
      const reason = lacksReports ?? (refused > 0 ? 'records_refused' : null);
      const outcome = await finish(run, { importId, runId, reason, tenantStatus: 'active' });
      if (outcome !== 'superseded') metrics.recordsRefused(refused);
      return outcome;
    },

    /** Records the end of a failed run. Rethrows our own faults. */
    interrupt: async (run: Run, error: unknown): Promise<string> => {
      const { name, importId, runId, state } = run;
      const lease = { importId, runId };
      const now = clock();
      if (error instanceof Superseded) return 'superseded';
      if (error instanceof DeadlineNear || error instanceof TurnOver) {
        const givesWay = error instanceof TurnOver && error.givesWay;
        return endTurn(run, { givesWay, now });
      }
      const decision = decideOnFailure(error, state, now);
      const { reason } = decision;
      const isOurFault = !(error instanceof PlatformFailure || error instanceof ImportFailure);
      const lastFailure = failureReport(error, { reason, at: now.toISOString() });
      if (!isOurFault) {
        const platform_error = platformErrorFields(lastFailure);
        log.warn('the import run failed', { ...logFieldsOf(run), error, platform_error });
      }
      // Rate limits have a separate bound, in days.
      const runsWithoutProgress = reason === 'rate_limited' ? 0 : state.runsWithoutProgress;
      const deferTo = async (until: Date): Promise<string> => {
        const wait = { ...lease, now, until, reason, lastFailure, runsWithoutProgress };
        return (await imports.defer(name, wait)) ? `deferred_${reason}` : 'superseded';
      };
      const outcome =
        'continuesAt' in decision
          ? await deferTo(decision.continuesAt)
          : await finish(run, { ...lease, ...decision, lastFailure });
      if (isOurFault) throw error;
      return outcome;
    },
  };
};
