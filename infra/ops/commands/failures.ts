// The operator's commands for stream records that a function gave up on.

import * as z from 'zod/mini';
import type { Import } from '#shared/store/imports.ts';
import { type Dependencies, defineCommand } from '../command.ts';
import type { Failure } from '../failures.ts';
import { minuteCount } from '../options.ts';

/** The one function that reads the stream. What it does can be asked for again from the table. */
const importer = 'import-tenant-data';

/** "Data in a stream is available for 24 hours" (DynamoDB Developer Guide, "DynamoDB Streams"). */
const streamMilliseconds = 24 * 60 * 60_000;

/** An import may be asked for by a clock that is ahead of the stream's, which counts in seconds. */
const clockToleranceMilliseconds = 60_000;

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
});

const waitingOf = ({ applicationId, schemaName, importId, requestedAt }: Import) => ({
  application_id: applicationId,
  schema_name: schemaName,
  import_id: importId,
  requested_at: requestedAt,
});

export const listFailures = defineCommand({
  usage: '',
  purpose: 'List the stream records that a function gave up on, and the imports that wait',
  note:
    'The queue holds where a record is, not what it says; the stream has it for 24 hours. ' +
    'Nothing depends on that: the table knows every import, and failures redrive asks for it anew.',
  changes: () => false,
  options: z.strictObject({}),
  run: async ({ failures, survey, clock }) => ({
    failures: await failures.visit(async (all) => ({
      handled: [],
      result: all.map((failure) => summaryOf(failure, clock())),
    })),
    waiting_imports: (await survey.requestedImports()).map(waitingOf),
  }),
});

/** Whether asking for imports again makes up for this failure. */
const isOfImport = ({ functionName, lastArrivedAt }: Failure): boolean =>
  lastArrivedAt !== null && functionName?.endsWith(importer) === true;

/** Asks again for each import that was asked for up to a moment, and says how that went. */
const restart = async (
  { imports, survey, clock, newImportId }: Dependencies,
  upTo: number,
): Promise<{ restarted: Import[]; notConnected: Import[] }> => {
  const waiting = await survey.requestedImports();
  const due = waiting.filter(({ requestedAt }) => Date.parse(requestedAt) <= upTo);
  const restarted: Import[] = [];
  const notConnected: Import[] = [];
  for (const { applicationId, schemaName, ...before } of due) {
    const name = { applicationId, schemaName };
    const asked = { importId: newImportId(), requestedAt: clock().toISOString() };
    const isRequested = await imports.request(name, asked);
    (isRequested ? restarted : notConnected).push({ ...before, ...name, ...asked });
  }
  return { restarted, notConnected };
};

export const redriveFailures = defineCommand({
  usage: '[--older-than-minutes N]',
  purpose: 'Ask again for the imports that wait, then remove the failures that this makes up for',
  note:
    'An import is asked for again where it was asked for before the last failure, or longer ago ' +
    'than N minutes (15). One that is still under way starts anew, which does no harm.',
  changes: () => true,
  options: z.strictObject({ olderThanMinutes: z._default(minuteCount, 15) }),
  run: (dependencies, { olderThanMinutes }) =>
    dependencies.failures.visit(async (failures) => {
      const handled = failures.filter(isOfImport);
      const upTo = Math.max(
        dependencies.clock().getTime() - olderThanMinutes * 60_000,
        ...handled.map(
          ({ lastArrivedAt }) => Date.parse(lastArrivedAt ?? '') + clockToleranceMilliseconds,
        ),
      );
      const { restarted, notConnected } = await restart(dependencies, upTo);
      return {
        handled,
        result: {
          restarted_imports: restarted.map(waitingOf),
          imports_without_connection: notConnected.map(waitingOf),
          removed_failures: handled.length,
          left_failures: failures.length - handled.length,
        },
      };
    }),
});
