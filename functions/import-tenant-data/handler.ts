// One run of the import of a connected company's chart of accounts and manual journals.

import type { Accounts } from '#shared/accounts/accounts.store.ts';
import type { Application, Applications } from '#shared/applications/applications.store.ts';
import type { PlatformBalances } from '#shared/balances/platform-balances.store.ts';
import { openPlatformAccess } from '#shared/connections/access.service.ts';
import type { Connections } from '#shared/connections/connections.store.ts';
import { createInvocationHandler, type InvocationSummary } from '#shared/endpoint/invocation.ts';
import type { TenantHistory } from '#shared/history/tenant-history.store.ts';
import { type ImportCheckpoint, importCountsOf } from '#shared/imports/import-checkpoint.ts';
import type { Import } from '#shared/imports/import-record.store.ts';
import { ImportRequest } from '#shared/imports/import-request.ts';
import { completeScopeAfter, type ImportScope } from '#shared/imports/import-scope.store.ts';
import type { ImportedJournals } from '#shared/imports/imported-journals.store.ts';
import type { Imports } from '#shared/imports/imports.store.ts';
import type { ImportPace } from '#shared/imports/paced-table.store.ts';
import { type Platform, PlatformFailure } from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import type { TenantReader } from '#shared/tenants/tenant-links.store.ts';
import { followsEditsOf } from '#shared/tenants/tenants.ts';
import { type RunBudget, withRetry } from './platform-retry.ts';
import { openRunLease, type Repeat, type RunLease } from './run-lease.ts';
import {
  logFieldsOf,
  maximumRunsWithoutProgress,
  openRunOutcomes,
  type Run,
} from './run-outcome.ts';
import { openRunTurn, type RunTurn } from './run-turn.ts';
import { type StageContext, stages } from './stages.ts';

export type Dependencies = Telemetry & {
  applications: Pick<Applications, 'find'>;
  imports: Imports;
  history: Pick<TenantHistory, 'recordWith'>;
  connections: Connections;
  accounts: Accounts;
  journals: ImportedJournals;
  balances: PlatformBalances;
  tenants: Pick<TenantReader, 'find'>;
  platforms: Platforms;
  clock: () => Date;
  sleep: RunBudget['sleep'];
  pace: Pick<ImportPace, 'run'>;
  repeat: Repeat;
  newRunId: () => string;
};

/** A run with the lease that allows it to write. */
type LeasedRun = Run & { lease: RunLease };

/** Saves a checkpoint after progress. */
const saveProgress = async (
  run: LeasedRun,
  { checkpoint, imports }: { checkpoint: ImportCheckpoint } & Pick<Dependencies, 'imports'>,
): Promise<void> => {
  const { name, importId, runId, lease } = run;
  const now = await lease.write((renewal) =>
    imports.saveCheckpoint(name, { importId, runId, checkpoint, ...renewal }),
  );
  const progressedAt = now.toISOString();
  run.state = { ...run.state, checkpoint, progressedAt, runsWithoutProgress: 0 };
};

/** Saves a new scope or page size without progress. */
const adjust = async (run: LeasedRun, scope: ImportScope, imports: Imports): Promise<void> => {
  const { name, importId, runId, lease } = run;
  await lease.write(() => imports.adjust(name, { importId, runId, ...scope }));
  run.state = { ...run.state, ...scope };
};

const millisecondsPerDay = 24 * 60 * 60_000;

/** @throws PlatformFailure if the platform does not list changes that far back */
const assertChangesListed = (
  { modifiedSince, checkpoint }: Import,
  { maximumChangesDays }: Platform,
  now: Date,
): void => {
  if (modifiedSince === null || maximumChangesDays === null || checkpoint.stage === 'done') return;
  const days = (now.getTime() - Date.parse(modifiedSince)) / millisecondsPerDay;
  if (days > maximumChangesDays) throw new PlatformFailure('changes_incomplete');
};

const turnOf = (
  run: LeasedRun,
  dependencies: Pick<Dependencies, 'imports' | 'clock'> & Pick<RunBudget, 'remainingMilliseconds'>,
): RunTurn => {
  const { imports, clock, remainingMilliseconds } = dependencies;
  return openRunTurn({
    remainingMilliseconds,
    clock,
    saveProgress: () => saveProgress(run, { checkpoint: run.state.checkpoint, imports }),
    areManyUnfinished: () => imports.areManyUnfinished(clock()),
  });
};

const openStageContext = async (
  run: LeasedRun,
  { sleep, remainingMilliseconds, ...dependencies }: Dependencies & RunBudget,
): Promise<StageContext> => {
  const { imports, connections, clock, metrics } = dependencies;
  const { name, lease } = run;
  const turn = turnOf(run, { imports, clock, remainingMilliseconds });
  const beforeWrite = async (): Promise<void> => {
    await lease.hold();
    await turn.assertTime();
  };
  const tenant = await dependencies.tenants.find(name);
  if (tenant === undefined || tenant.platform === 'manual') {
    throw new Error('an import was requested without a connected tenant');
  }
  const platform = await dependencies.platforms.get(tenant.platform);
  const access = await openPlatformAccess(name, { connections, platform, clock, sleep });
  if (access === undefined) throw new PlatformFailure('credentials_refused');
  const { modifiedSince } = run.state;
  assertChangesListed(run.state, platform, clock());
  return {
    name,
    tenantCurrency: tenant.currency,
    platform,
    accounts: {
      ...dependencies.accounts,
      // A chart of thousands of accounts can be one page, and a later run reads it again at once.
      record: (of, records) => {
        const beforeAccounts = async (): Promise<void> => {
          await turn.giveWay({ isWithinPage: true });
          await beforeWrite();
        };
        return dependencies.accounts.record(of, records, { beforeWrite: beforeAccounts });
      },
    },
    journals: {
      ...dependencies.journals,
      record: (of, records) => dependencies.journals.record(of, records, { beforeWrite }),
      revise: async (...args) => {
        await beforeWrite();
        return dependencies.journals.revise(...args);
      },
    },
    balances: {
      ...dependencies.balances,
      post: async (...args) => {
        await beforeWrite();
        return dependencies.balances.post(...args);
      },
      saveComparison: async (...args) => {
        await lease.hold();
        return dependencies.balances.saveComparison(...args);
      },
    },
    importId: run.importId,
    runId: run.runId,
    pause: sleep,
    log: dependencies.log,
    runsWithoutProgress: run.state.runsWithoutProgress,
    clock,
    modifiedSince: modifiedSince === null ? null : new Date(modifiedSince),
    isComplete: modifiedSince === null,
    followsEdits: followsEditsOf(tenant) ?? false,
    save: async (checkpoint) => {
      const isWithinPage = checkpoint === run.state.checkpoint;
      await saveProgress(run, { checkpoint, imports });
      if (checkpoint.stage !== 'done') await turn.giveWay({ isWithinPage });
    },
    adjust: (checkpoint) => adjust(run, { checkpoint, modifiedSince }, imports),
    pageRead: metrics.importPageRead,
    call: async (work, { isFree = false, repeatsTimeouts = true } = {}) => {
      lease.assertHeld();
      const use = (timeLimit: () => number) => access.use((it) => work(it, timeLimit));
      // A completely listed page needs no call. Its records are written in the reserved time.
      if (isFree) return use(() => platform.pageTimeoutMilliseconds);
      return withRetry(use, {
        sleep,
        remainingMilliseconds,
        repeatsTimeouts,
        timeoutMilliseconds: platform.pageTimeoutMilliseconds,
        waitMilliseconds: () => platform.waitMilliseconds(access.connection()),
      });
    },
  };
};

/** A new run of an import. Time during a suspension does not count as time without progress. */
const startedRun = (
  state: Import,
  { application, runId }: { application: Application | undefined; runId: string },
): Run => {
  const { applicationId, schemaName, importId } = state;
  const progressedAt = [state.progressedAt, application?.statusChangedAt ?? ''].sort().at(-1) ?? '';
  const runsWithoutProgress = state.runsWithoutProgress + 1;
  return {
    name: { applicationId, schemaName },
    importId,
    runId,
    state: { ...state, progressedAt, runsWithoutProgress },
  };
};

const summaryOf = (run: Run, outcome: string): InvocationSummary => ({
  ...logFieldsOf(run),
  outcome,
  stage: run.state.checkpoint.stage,
  ...importCountsOf(run.state.checkpoint),
});

export const createHandler = (dependencies: Dependencies) => {
  const { applications, imports, clock, pace, newRunId, log, metrics } = dependencies;
  const outcomes = openRunOutcomes(dependencies);

  const importAll = async (run: LeasedRun, remainingMilliseconds: () => number): Promise<void> => {
    const context = await openStageContext(run, { ...dependencies, remainingMilliseconds });
    for (;;) {
      const { checkpoint } = run.state;
      if (checkpoint.stage === 'done') return;
      await stages[checkpoint.stage](checkpoint, context);
    }
  };

  /** Imports the changes, or all records if the platform cannot list all changes. */
  const importScope = async (
    run: LeasedRun,
    remainingMilliseconds: () => number,
  ): Promise<void> => {
    try {
      await importAll(run, remainingMilliseconds);
    } catch (error) {
      const lacksChanges =
        error instanceof PlatformFailure && error.reason === 'changes_incomplete';
      if (!lacksChanges || run.state.modifiedSince === null) throw error;
      await adjust(run, completeScopeAfter(run.state), imports);
      await importAll(run, remainingMilliseconds);
    }
  };

  return createInvocationHandler(
    ImportRequest,
    async ({ payload, remainingMilliseconds }) => {
      const { applicationId, schemaName, importId } = payload;
      const name = { applicationId, schemaName };
      const nothingToDo = { ...logFieldsOf({ name, importId }), outcome: 'nothing_to_do' };
      const state = await imports.find(name);
      // Lambda can invoke twice for one request, and a later import can have replaced this one.
      if (state?.importId !== importId || state.status !== 'requested') return nothingToDo;
      const application = await applications.find(applicationId);
      const run = startedRun(state, { application, runId: newRunId() });
      if (application?.status === 'suspended') return summaryOf(run, await outcomes.suspend(run));
      const { runsWithoutProgress } = run.state;
      if (runsWithoutProgress > maximumRunsWithoutProgress) {
        return summaryOf(run, await outcomes.giveUp(run));
      }
      const { runId } = run;
      const leaseRequest = { importId, runId, now: clock(), runsWithoutProgress };
      if (!(await imports.acquireLease(name, leaseRequest))) return nothingToDo;
      const lease = openRunLease(run, { ...dependencies, remainingMilliseconds });
      const leased = Object.assign(run, { lease });
      const outcome = await pace
        .run(applicationId, () => importScope(leased, remainingMilliseconds))
        .then(
          () => outcomes.complete(run),
          (error: unknown) => outcomes.interrupt(run, error),
        )
        .finally(lease.stop);
      return summaryOf(run, outcome);
    },
    { log, metrics },
  );
};
