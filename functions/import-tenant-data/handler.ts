// Imports a connected company's chart of accounts and manual journals, a run at a time.

import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { openPlatformAccess } from '#shared/platforms/access.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { Accounts } from '#shared/store/accounts.ts';
import type { Connections } from '#shared/store/connections.ts';
import type { ImportCheckpoint } from '#shared/store/import-checkpoint.ts';
import type { ImportedJournals } from '#shared/store/imported-journals.ts';
import { Import, type Imports } from '#shared/store/imports.ts';
import type { TenantName } from '#shared/store/keys.ts';
import type { TenantReader } from '#shared/store/tenants.ts';
import { createStreamHandler, type RecordSummary } from '#shared/triggers/stream.ts';
import {
  decideOnFailure,
  type FailureDecision,
  maximumRunsWithoutProgress,
} from './failure-policy.ts';
import { ImportFailure, importPage, type PageContext } from './pages.ts';
import { DeadlineNear, type RunBudget, withRetry } from './platform-retry.ts';

export type Dependencies = {
  imports: Imports;
  connections: Connections;
  accounts: Accounts;
  journals: ImportedJournals;
  tenants: Pick<TenantReader, 'find'>;
  platforms: Platforms;
  clock: () => Date;
  sleep: RunBudget['sleep'];
  newEntryId: () => string;
  log: Log;
  metrics: Metrics;
};

/** How much longer than its function a run is taken to live. */
const leaseMarginMilliseconds = 30_000;

/** Another import has taken the place of this one, or it was ended: there is nothing more to do. */
class Superseded extends Error {}

/** An import under way: what is known of it from its last write. */
type Run = { name: TenantName; importId: string; state: Import };

export const createHandler = (dependencies: Dependencies) => {
  const { imports, connections, tenants, platforms, clock, sleep, log, metrics } = dependencies;

  const openPages = async (run: Run, budget: RunBudget): Promise<PageContext> => {
    const { name, importId } = run;
    const tenant = await tenants.find(name);
    if (tenant === undefined || tenant.platform === 'manual') {
      throw new Error('an import was asked for without a connected tenant');
    }
    const platform = await platforms.get(tenant.platform);
    const access = await openPlatformAccess(name, { connections, platform, clock, sleep });
    if (access === undefined) throw new PlatformFailure('credentials_refused');
    return {
      name,
      tenantCurrency: tenant.currency,
      platform,
      call: (work) => withRetry(() => access.use(work), budget),
      accounts: dependencies.accounts,
      journals: dependencies.journals,
      clock,
      newEntryId: dependencies.newEntryId,
      save: async (checkpoint: ImportCheckpoint) => {
        const now = clock();
        if (!(await imports.saveCheckpoint(name, { importId, checkpoint, now }))) {
          throw new Superseded();
        }
        const progressedAt = now.toISOString();
        run.state = { ...run.state, checkpoint, progressedAt, runsWithoutProgress: 0 };
      },
    };
  };

  const importAll = async (run: Run, budget: RunBudget): Promise<void> => {
    const pages = await openPages(run, budget);
    for (;;) {
      const { checkpoint } = run.state;
      if (checkpoint.stage === 'done') return;
      await importPage[checkpoint.stage](checkpoint, pages);
      metrics.importPageRead();
    }
  };

  const finish = async (
    { name, importId }: Run,
    { reason, tenantStatus }: Omit<FailureDecision, 'until' | 'reason'> & { reason: string | null },
  ): Promise<string> => {
    const finishedAt = clock().toISOString();
    const end = { importId, finishedAt, reason, tenantStatus };
    if (!(await imports.finish(name, end))) return 'superseded';
    if (tenantStatus === 'disconnected') metrics.tenantDisconnected();
    else if (reason !== null) metrics.importFailed();
    return reason ?? 'success';
  };

  const complete = (run: Run): Promise<string> =>
    run.state.checkpoint.journalsRefused > 0
      ? finish(run, { reason: 'journals_refused', tenantStatus: 'import_failed' })
      : finish(run, { reason: null, tenantStatus: 'active' });

  /** Writes down how a run ended that could not go on. Faults of ours are thrown on. */
  const conclude = async (run: Run, error: unknown): Promise<string> => {
    const { name, importId, state } = run;
    const now = clock();
    if (error instanceof Superseded) return 'superseded';
    if (error instanceof DeadlineNear) {
      return (await imports.release(name, { importId, now })) ? 'continues' : 'superseded';
    }
    const { until, ...ending } = decideOnFailure(error, state, now);
    const isOurFault = !(error instanceof PlatformFailure || error instanceof ImportFailure);
    if (!isOurFault) log.warn('the import met a failure', { ...aboutOf(run), error });
    // Being rate limited has a bound of its own, in days.
    const runsWithoutProgress = ending.reason === 'rate_limited' ? 0 : state.runsWithoutProgress;
    const outcome =
      until === undefined
        ? await finish(run, ending)
        : (await imports.defer(name, { importId, until, runsWithoutProgress, ...ending }))
          ? `deferred_${ending.reason}`
          : 'superseded';
    if (isOurFault) throw error;
    return outcome;
  };

  const summaryOf = (run: Run, outcome: string): RecordSummary => ({
    ...aboutOf(run),
    outcome,
    stage: run.state.checkpoint.stage,
    accounts_imported: run.state.checkpoint.accountsImported,
    journals_imported: run.state.checkpoint.journalsImported,
    journals_refused: run.state.checkpoint.journalsRefused,
  });

  return createStreamHandler(
    async ({ item, remainingMilliseconds }) => {
      const { applicationId, schemaName, importId } = Import.parse(item);
      const name = { applicationId, schemaName };
      const state = await imports.find(name);
      // The stream delivers at least once, and a later import may have taken this one's place.
      if (state?.importId !== importId || state.status !== 'requested') {
        return { ...aboutOf({ name, importId }), outcome: 'nothing_to_do' };
      }
      const runsWithoutProgress = state.runsWithoutProgress + 1;
      const run: Run = { name, importId, state: { ...state, runsWithoutProgress } };
      if (runsWithoutProgress > maximumRunsWithoutProgress) {
        const ending = { reason: 'gave_up', tenantStatus: 'import_failed' } as const;
        return summaryOf(run, await finish(run, ending));
      }
      const until = new Date(clock().getTime() + remainingMilliseconds() + leaseMarginMilliseconds);
      if (!(await imports.acquireLease(name, { importId, until, runsWithoutProgress }))) {
        return { ...aboutOf(run), outcome: 'nothing_to_do' };
      }
      const outcome = await importAll(run, { sleep, remainingMilliseconds }).then(
        () => complete(run),
        (error: unknown) => conclude(run, error),
      );
      return summaryOf(run, outcome);
    },
    { log, metrics },
  );
};

const aboutOf = ({ name, importId }: Pick<Run, 'name' | 'importId'>) => ({
  application_id: name.applicationId,
  schema_name: name.schemaName,
  import_id: importId,
});
