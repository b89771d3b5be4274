// The report of an import: refused records, assumptions, journals that changed after they were
// imported, and the last failure.

import * as z from 'zod/mini';

const positionPrefix = 'record ';

/** The reference of a record without an id: its position in the list, from 1. */
export const positionReference = (position: number): string => `${positionPrefix}${position}`;

/** Whether the reference is a position, which identifies a record only within one list. */
export const isPosition = (reference: string): boolean => reference.startsWith(positionPrefix);

const RecordKind = z.enum(['account', 'journal']);

/**
 * A record of the platform that was not imported, and the reason.
 *
 * `reference` is the platform's own id, or a position if the record has no id. `reason` is an
 * ImportRejection, `account_quota_reached`, `account_type_locked` or `record_not_understood`. With
 * `record_not_understood`, `field` is the path of the field at fault, for example
 * `line_items.0.account_id`.
 */
export const RefusedRecord = z.object({
  kind: RecordKind,
  reference: z.string(),
  reason: z.string(),
  field: z.nullable(z.string()),
});
export type RefusedRecord = z.infer<typeof RefusedRecord>;

/**
 * An assumption about a record: the type of an account if the platform's type is unknown
 * (`account_type_assumed`, with the field), or the account of a journal's tax
 * (`tax_clearing_used`).
 */
export const Assumption = z.object({
  kind: RecordKind,
  reference: z.string(),
  assumption: z.enum(['account_type_assumed', 'tax_clearing_used']),
  field: z.nullable(z.string()),
});
export type Assumption = z.infer<typeof Assumption>;

/** A journal that changed on the platform after its import. Its entry here does not follow. */
export const ChangedJournal = z.object({
  reference: z.string(),
  change: z.enum(['edited', 'voided']),
});
export type ChangedJournal = z.infer<typeof ChangedJournal>;

/**
 * The platform's own description of a failure, for requests to its support. A field is null if the
 * platform does not send it.
 */
export const PlatformError = z.object({
  code: z.nullable(z.string()),
  message: z.nullable(z.string()),
  traceId: z.nullable(z.string()),
});
export type PlatformError = z.infer<typeof PlatformError>;

/** The last failure of an import. `reason` is our own code. */
export const ImportFailureReport = z.object({
  reason: z.string(),
  at: z.string(),
  platformError: z.nullable(PlatformError),
});
export type ImportFailureReport = z.infer<typeof ImportFailureReport>;

/** The maximum number of records in each list. The counts include all records. */
export const maximumReported = 50;
