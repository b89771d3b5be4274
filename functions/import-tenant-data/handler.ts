// Imports a connected company's chart of accounts and manual journals, a run at a time.

import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { openPlatformAccess } from '#shared/platforms/access.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { Charts } from '#shared/store/charts.ts';
import type { Connections } from '#shared/store/connections.ts';
import type { ImportProgress } from '#shared/store/import-progress.ts';
import type { ImportedJournals } from '#shared/store/imported-journals.ts';
import { Import, type Imports } from '#shared/store/imports.ts';
import type { TenantName } from '#shared/store/keys.ts';
import type { TenantReader } from '#shared/store/tenants.ts';
import { createStreamHandler, type RecordSummary } from '#shared/triggers/stream.ts';
import { type Ending, endingOf, mostFruitlessRuns } from './endings.ts';
import { ImportFailure, importPage, type PageContext } from './pages.ts';
import { type Patience, patiently, TimeIsShort } from './patience.ts';

export type Dependencies = {
  imports: Imports;
  connections: Connections;
  charts: Charts;
  journals: ImportedJournals;
  tenants: Pick<TenantReader, 'find'>;
  platforms: Platforms;
  clock: () => Date;
  sleep: Patience['sleep'];
  newEntryId: () => string;
  log: Log;
  metrics: Metrics;
};

/** How much longer than its function a run is taken to live. */
const claimMarginMilliseconds = 30_000;

/** Another import has taken the place of this one, or it was ended: there is nothing more to do. */
class Superseded extends Error {}

/** An import under way: what is known of it from its last write. */
type Run = { name: TenantName; importId: string; standing: Import };

export const createHandler = (dependencies: Dependencies) => {
  const { imports, connections, tenants, platforms, clock, sleep, log, metrics } = dependencies;

  const openPages = async (run: Run, patience: Patience): Promise<PageContext> => {
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
      call: (work) => patiently(() => access.use(work), patience),
      charts: dependencies.charts,
      journals: dependencies.journals,
      clock,
      newEntryId: dependencies.newEntryId,
      save: async (progress: ImportProgress) => {
        const now = clock();
        if (!(await imports.saveProgress(name, { importId, progress, now }))) {
          throw new Superseded();
        }
        const progressedAt = now.toISOString();
        run.standing = { ...run.standing, progress, progressedAt, fruitlessRuns: 0 };
      },
    };
  };

  const importAll = async (run: Run, patience: Patience): Promise<void> => {
    const pages = await openPages(run, patience);
    for (;;) {
      const { progress } = run.standing;
      if (progress.stage === 'done') return;
      await importPage[progress.stage](progress, pages);
      metrics.importPageRead();
    }
  };

  const finish = async (
    { name, importId }: Run,
    { reason, tenantStatus }: Omit<Ending, 'until' | 'reason'> & { reason: string | null },
  ): Promise<string> => {
    const finishedAt = clock().toISOString();
    const end = { importId, finishedAt, reason, tenantStatus };
    if (!(await imports.finish(name, end))) return 'superseded';
    if (tenantStatus === 'disconnected') metrics.tenantDisconnected();
    else if (reason !== null) metrics.importFailed();
    return reason ?? 'success';
  };

  const complete = (run: Run): Promise<string> =>
    run.standing.progress.journalsRefused > 0
      ? finish(run, { reason: 'journals_refused', tenantStatus: 'import_failed' })
      : finish(run, { reason: null, tenantStatus: 'active' });

  /** Writes down how a run ended that could not go on. Faults of ours are thrown on. */
  const conclude = async (run: Run, error: unknown): Promise<string> => {
    const { name, importId, standing } = run;
    const now = clock();
    if (error instanceof Superseded) return 'superseded';
    if (error instanceof TimeIsShort) {
      return (await imports.release(name, { importId, now })) ? 'continues' : 'superseded';
    }
    const { until, ...ending } = endingOf(error, standing, now);
    const isOurFault = !(error instanceof PlatformFailure || error instanceof ImportFailure);
    if (!isOurFault) log.warn('the import met a failure', { ...aboutOf(run), error });
    // Patience with limits has a bound of its own, in days.
    const fruitlessRuns = ending.reason === 'rate_limited' ? 0 : standing.fruitlessRuns;
    const outcome =
      until === undefined
        ? await finish(run, ending)
        : (await imports.putOff(name, { importId, until, fruitlessRuns, ...ending }))
          ? `put_off_${ending.reason}`
          : 'superseded';
    if (isOurFault) throw error;
    return outcome;
  };

  const summaryOf = (run: Run, outcome: string): RecordSummary => ({
    ...aboutOf(run),
    outcome,
    stage: run.standing.progress.stage,
    accounts_imported: run.standing.progress.accountsImported,
    journals_imported: run.standing.progress.journalsImported,
    journals_refused: run.standing.progress.journalsRefused,
  });

  return createStreamHandler(
    async ({ item, remainingMilliseconds }) => {
      const { applicationId, schemaName, importId } = Import.parse(item);
      const name = { applicationId, schemaName };
      const standing = await imports.find(name);
      // The stream delivers at least once, and a later import may have taken this one's place.
      if (standing?.importId !== importId || standing.status !== 'requested') {
        return { ...aboutOf({ name, importId }), outcome: 'nothing_to_do' };
      }
      const fruitlessRuns = standing.fruitlessRuns + 1;
      const run: Run = { name, importId, standing: { ...standing, fruitlessRuns } };
      if (fruitlessRuns > mostFruitlessRuns) {
        const ending = { reason: 'gave_up', tenantStatus: 'import_failed' } as const;
        return summaryOf(run, await finish(run, ending));
      }
      const until = new Date(clock().getTime() + remainingMilliseconds() + claimMarginMilliseconds);
      if (!(await imports.claim(name, { importId, until, fruitlessRuns }))) {
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
