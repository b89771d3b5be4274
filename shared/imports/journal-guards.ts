// The guard of an imported journal, under its reference at the platform. Each revision of the
// journal has a guard of its own, and so has each reversal.

import * as z from 'zod/mini';
import type { ImportedJournal, UnnumberedEntry } from '../entries/journal-entry.ts';

/**
 * A hash of the journal's content at the platform, and an assumption made for its import. Journals
 * imported by older versions have neither.
 */
export const JournalOrigin = z.object({
  contentHash: z.optional(z.string()),
  assumption: z.optional(z.literal('tax_clearing_used')),
});
export type JournalOrigin = z.infer<typeof JournalOrigin>;

/** An imported journal without its number. */
export type UnnumberedJournal = UnnumberedEntry<ImportedJournal>;

/** A journal and its origin, before it is recorded. */
export type JournalToRecord = { journal: UnnumberedJournal; origin: JournalOrigin };

/** The content of a journal that its platform has voided or deleted. */
export const voidedContent = 'voided';

export const JournalGuard = z.extend(JournalOrigin, {
  /** The sort key of the first entry of the journal. */
  entrySk: z.string(),
  /** The number of the last revision that was followed. */
  revision: z._default(z.int(), 1),
  /** The entry of the last revision; null if it is voided. By default, the first entry. */
  inForce: z.optional(z.nullable(z.string())),
  /** The date of the entry that was reversed last. */
  replacedDate: z.optional(z.string()),
  /** The journal, if this guards a later revision of it or a reversal. */
  revisionOf: z.optional(z.string()),
});
export type JournalGuard = z.infer<typeof JournalGuard>;

/** The reference of the entry of a later revision, or of the reversal that it begins with. */
export const revisionReference = (
  reference: string,
  { revision, isReversal }: { revision: number; isReversal: boolean },
): string => `${reference}#${revision}${isReversal ? '#reversal' : ''}`;
