// A recorded import of a platform's data into a tenant.

import * as z from 'zod/mini';
import { dueSetAtOf, dueTimeOf } from '../table/due-keys.ts';
import { ImportCheckpoint, startOfImport } from './import-checkpoint.ts';
import { ImportFailureReport } from './import-report.ts';
import { ImportStatus } from './import-status.store.ts';

/**
 * `reason` is a code that an operator can look up. It explains a failure, a wait, or the records
 * that a complete import refused.
 */
export const Import = z.object({
  kind: z.literal('import'),
  importId: z.string(),
  applicationId: z.string(),
  schemaName: z.string(),
  status: ImportStatus,
  requestedAt: z.string(),
  /** The id of the API key, if a request of the API asked for the import. */
  requestedWithKey: z.optional(z.string()),
  progressedAt: z._default(z.string(), new Date(0).toISOString()),
  finishedAt: z.nullable(z.string()),
  /** Items of older versions lack this field and the fields below with a default. */
  checkpoint: z._default(ImportCheckpoint, startOfImport),
  /** The import reads records created or changed since this time. Null reads everything. */
  modifiedSince: z._default(z.nullable(z.string()), null),
  /** The last failure that ended a run. Later success does not clear it. */
  lastFailure: z._default(z.nullable(ImportFailureReport), null),
  /** The number of runs since the last progress, including the current run. */
  runsWithoutProgress: z._default(z.int(), 0),
  reason: z.nullable(z.string()),
  /** The run that has the lease, or had it last. */
  runId: z._default(z.nullable(z.string()), null),
});
export type Import = z.infer<typeof Import>;

/** An import with its due time, and when that was set. Both are null after the import has ended. */
export const ImportReport = z.pipe(
  z.extend(Import, { due_sk: z.optional(z.string()) }),
  z.transform(({ due_sk, ...stored }) => ({
    ...stored,
    nextAttemptAt: due_sk === undefined ? null : dueTimeOf(due_sk),
    nextAttemptSetAt: due_sk === undefined ? null : dueSetAtOf(due_sk),
  })),
);
export type ImportReport = z.output<typeof ImportReport>;
