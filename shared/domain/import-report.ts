// What an import reports: which of the platform's records were refused, what was assumed of others,
// which have changed at the platform since they were imported, and the failure that it met last.

import * as z from 'zod/mini';

const place = 'record ';

/** What a record without an id is called by: its place in the list, counted from 1. */
export const placeReference = (position: number): string => `${place}${position}`;

/** Whether a record is called by a place, at which another list has another record. */
export const isPlace = (reference: string): boolean => reference.startsWith(place);

const RecordKind = z.enum(['account', 'journal']);

/**
 * A record of the platform that the ledger does not have, and why.
 *
 * `reference` is the platform's own id of it; of a record without one, its place in the list.
 * `reason` is an ImportRejection, `account_quota_reached` or `record_not_understood`; only with the
 * last does `field` say where in the record, as in `line_items.0.account_id`.
 */
export const RefusedRecord = z.object({
  kind: RecordKind,
  reference: z.string(),
  reason: z.string(),
  field: z.nullable(z.string()),
});
export type RefusedRecord = z.infer<typeof RefusedRecord>;

/**
 * What was taken to be so, since the platform does not say it: the class of an account of a type
 * that is not known (`account_type_assumed`, with its field), or the account of a journal's tax
 * (`tax_clearing_used`).
 */
export const Assumption = z.object({
  kind: RecordKind,
  reference: z.string(),
  assumption: z.enum(['account_type_assumed', 'tax_clearing_used']),
  field: z.nullable(z.string()),
});
export type Assumption = z.infer<typeof Assumption>;

/** An imported journal that is another at the platform by now; what was imported stays. */
export const ChangedJournal = z.object({
  reference: z.string(),
  change: z.enum(['edited', 'voided']),
});
export type ChangedJournal = z.infer<typeof ChangedJournal>;

/**
 * What the platform itself said of a failure, for whoever asks its support: its own code, its words
 * and the id of the reply. `null` where it said nothing of it.
 */
export const PlatformError = z.object({
  code: z.nullable(z.string()),
  message: z.nullable(z.string()),
  traceId: z.nullable(z.string()),
});
export type PlatformError = z.infer<typeof PlatformError>;

/** The failure that an import met last; `reason` is a code of ours. */
export const ImportFailureReport = z.object({
  reason: z.string(),
  at: z.string(),
  platformError: z.nullable(PlatformError),
});
export type ImportFailureReport = z.infer<typeof ImportFailureReport>;

/** How many of each are kept by name; all are counted. */
export const maximumReported = 50;
