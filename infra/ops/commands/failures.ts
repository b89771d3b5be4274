// The operator's commands for the stream records and invocations that a function gave up on.

import * as z from 'zod/mini';
import { isDue } from '#shared/domain/import-timing.ts';
import { openSuspensions } from '#shared/store/applications.ts';
import type { UnfinishedImport } from '#shared/store/operator-queries.ts';
import { type FunctionName, functions } from '../../manifest.ts';
import { defineChange, defineQuery, type Readers } from '../command.ts';
import type { Failure } from '../failures.ts';

/** The functions that start and run imports. What they have not ended stands in the table. */
const importers: readonly FunctionName[] = ['start-imports', 'import-tenant-data'];

/** What asks for imports to go on comes so often; one that it passed over thrice is overdue. */
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

/** An import that has not ended, and whether its application is suspended, for which it waits. */
type Unfinished = UnfinishedImport & { suspended: boolean };

const listUnfinished = async ({
  operatorQueries,
  applications,
}: Readers): Promise<Unfinished[]> => {
  const isSuspended = openSuspensions(applications);
  const unfinished = await operatorQueries.unfinishedImports();
  return Promise.all(
    unfinished.map(async (it) => ({ ...it, suspended: await isSuspended(it.applicationId) })),
  );
};

const unfinishedOf = (found: Unfinished, now: Date) => ({
  ...importOf(found),
  requested_at: found.requestedAt,
  progressed_at: found.progressedAt,
  goes_on_at: found.nextAttemptAt,
  application_suspended: found.suspended,
  overdue:
    !found.suspended && now.getTime() - Date.parse(found.nextAttemptAt) > overdueMilliseconds,
});

export const listFailures = defineQuery({
  usage: '',
  purpose:
    'List the stream records and invocations that a function gave up on, and the imports that ' +
    'have not ended',
  note:
    'Of a record the queue holds where it is, not what it says; the stream has it for 24 hours. ' +
    'Nothing depends on that: an import that has not ended stands in the table, and goes on by ' +
    'itself when its moment comes, or its application is resumed. Where imports are overdue, ' +
    'resume-imports does not run.',
  options: z.strictObject({}),
  run: async (dependencies) => ({
    failures: await dependencies.failures.process(async (all) => ({
      handled: [],
      result: all.map((failure) => summaryOf(failure, dependencies.clock())),
    })),
    unfinished_imports: (await listUnfinished(dependencies)).map((it) =>
      unfinishedOf(it, dependencies.clock()),
    ),
  }),
});

/** Whether imports that go on make up for this failure. */
const isOfImport = ({ functionName }: Failure): boolean =>
  importers.some((name) => functionName?.endsWith(name));

export const redriveFailures = defineChange({
  usage: '',
  purpose: 'Let every import that is due go on, then remove the failures that this makes up for',
  note:
    'Imports go on from where they stand; those of suspended applications wait. One whose ' +
    'moment has not come waits for it, at most ten minutes where it was just asked for; imports ' +
    'restart does not wait, and begins anew.',
  change: {
    after: ['resumed_imports', 'waiting_imports', 'removed_failures', 'left_failures'],
  },
  options: z.strictObject({}),
  run: (dependencies) =>
    dependencies.failures.process(async (all) => {
      const { imports, clock } = dependencies;
      const now = clock();
      const unfinished = await listUnfinished(dependencies);
      const due = unfinished.filter(
        ({ suspended, nextAttemptAt: dueAt, nextAttemptSetAt: setAt }) =>
          !suspended && isDue({ dueAt, setAt }, now),
      );
      const resumed: Unfinished[] = [];
      for (const found of due) {
        const { applicationId, schemaName } = found;
        // One that has gone on or ended since it was read is not due any more.
        if (await imports.resume({ applicationId, schemaName }, now)) resumed.push(found);
      }
      const waiting = unfinished.filter((found) => !due.includes(found));
      const handled = all.filter(isOfImport);
      return {
        handled,
        result: {
          resumed_imports: resumed.map((it) => ({ ...importOf(it), status: 'requested' })),
          waiting_imports: waiting.map((it) => unfinishedOf(it, now)),
          removed_failures: handled.length,
          left_failures: all.length - handled.length,
        },
      };
    }),
});
