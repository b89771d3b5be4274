// The operator's commands for failed stream records and invocations.

import { openSuspensions } from '#shared/applications/applications.store.ts';
import { isDue } from '#shared/imports/import-timing.ts';
import type { UnfinishedImport } from '#shared/operator/import-reports.store.ts';
import { type FunctionName, functions } from '../../manifest/manifest.ts';
import { defineChange, defineQuery, type Readers } from '../command.ts';
import type { Failure } from '../stage/failures.ts';

/** The functions that start and run imports. The table lists the unfinished ones. */
const importers: readonly FunctionName[] = ['start-imports', 'import-tenant-data'];

/** An import is overdue if three runs of resume-imports passed without resuming it. */
const { everyMinutes } = functions['resume-imports'].trigger;
const overdueMilliseconds = 3 * everyMinutes * 60_000;

/** "Data in a stream is available for 24 hours" (DynamoDB Developer Guide, "DynamoDB Streams"). */
const streamMilliseconds = 24 * 60 * 60_000;

const summaryOf = (failure: Failure, now: Date) => ({
  failure_id: failure.id,
  failed_at: failure.failedAt,
  function: failure.functionName,
  reason: failure.reason,
  records: failure.records,
  shard_id: failure.shardId,
  sequence_number: failure.sequenceNumber,
  in_stream:
    failure.firstArrivedAt === null
      ? null
      : now.getTime() - Date.parse(failure.firstArrivedAt) < streamMilliseconds,
  application_id: failure.request?.applicationId ?? null,
  schema_name: failure.request?.schemaName ?? null,
  import_id: failure.request?.importId ?? null,
});

const importOf = ({ applicationId, schemaName, importId, status, reason }: UnfinishedImport) => ({
  application_id: applicationId,
  schema_name: schemaName,
  import_id: importId,
  status,
  reason,
});

/** Imports of a suspended application wait until it is resumed. */
type PendingImport = UnfinishedImport & { suspended: boolean };

const listPending = async ({
  importReports,
  applications,
}: Pick<Readers, 'applications' | 'importReports'>): Promise<PendingImport[]> => {
  const isSuspended = openSuspensions(applications);
  const unfinished = await importReports.listUnfinished();
  return Promise.all(
    unfinished.map(async (it) => ({ ...it, suspended: await isSuspended(it.applicationId) })),
  );
};

const pendingOf = (pending: PendingImport, now: Date) => ({
  ...importOf(pending),
  requested_at: pending.requestedAt,
  progressed_at: pending.progressedAt,
  continues_at: pending.nextAttemptAt,
  application_suspended: pending.suspended,
  overdue:
    !pending.suspended && now.getTime() - Date.parse(pending.nextAttemptAt) > overdueMilliseconds,
});

export const listFailures = defineQuery({
  needs: ['applications', 'clock', 'failures', 'importReports'],
  options: {},
  run: async (dependencies) => ({
    failures: await dependencies.failures.process(async (all) => ({
      handled: [],
      result: all.map((failure) => summaryOf(failure, dependencies.clock())),
    })),
    unfinished_imports: (await listPending(dependencies)).map((it) =>
      pendingOf(it, dependencies.clock()),
    ),
  }),
});

/** Resuming the imports makes up for these failures, and resume-deliveries for lost deliveries. */
const isMadeUpFor = ({ functionName }: Failure): boolean =>
  [...importers, 'deliver-events'].some((name) => functionName?.endsWith(name));

export const redriveFailures = defineChange({
  change: {
    after: ['resumed_imports', 'waiting_imports', 'removed_failures', 'left_failures'],
  },
  needs: ['applications', 'clock', 'failures', 'imports', 'importReports'],
  options: {},
  run: (dependencies) =>
    dependencies.failures.process(async (all) => {
      const { imports, clock } = dependencies;
      const now = clock();
      const pending = await listPending(dependencies);
      const due = pending.filter(
        ({ suspended, nextAttemptAt: dueAt, nextAttemptSetAt: setAt }) =>
          !suspended && isDue({ dueAt, setAt }, now),
      );
      const resumed: PendingImport[] = [];
      for (const dueImport of due) {
        const { applicationId, schemaName } = dueImport;
        // False if the import has resumed or ended since it was read.
        if (await imports.resume({ applicationId, schemaName }, now)) resumed.push(dueImport);
      }
      const waiting = pending.filter((it) => !due.includes(it));
      const handled = all.filter(isMadeUpFor);
      return {
        handled,
        result: {
          resumed_imports: resumed.map((it) => ({ ...importOf(it), status: 'requested' })),
          waiting_imports: waiting.map((it) => pendingOf(it, now)),
          removed_failures: handled.length,
          left_failures: all.length - handled.length,
        },
      };
    }),
});

export const commands = { list: listFailures, redrive: redriveFailures };
