// The checkpoint of an import: what is recorded, and where it goes on.

import * as z from 'zod/mini';

/** A journal that the ledger refuses, and why. */
const RefusedJournal = z.object({ reference: z.string(), reason: z.string() });
export type RefusedJournal = z.infer<typeof RefusedJournal>;

/** Everything that came before `cursor` in `stage` is recorded. */
export const ImportCheckpoint = z.object({
  stage: z.enum(['company', 'accounts', 'journals', 'done']),
  cursor: z.nullable(z.string()),
  /** Hashes of the page before `cursor` and of one further back: pages must not come again. */
  lastPageHash: z.nullable(z.string()),
  probePageHash: z.nullable(z.string()),
  /** Pages of this stage and pass, and how many that held nothing were the last. */
  pagesRead: z.int(),
  emptyPages: z.int(),
  /** Which pass over the journals this is, and how many were there before it. */
  pass: z.int(),
  recordedBefore: z.int(),
  accountsImported: z.int(),
  journalsImported: z.int(),
  journalsRefused: z.int(),
  /** The first of them. */
  refusedJournals: z.array(RefusedJournal),
  /** Where the journals go on, once the chart is read. */
  journalsCursor: z.nullable(z.string()),
  /** The page whose journals named an account that the chart did not have, and how many pages. */
  chartRereadAt: z.nullable(z.string()),
  chartsReread: z.int(),
});
export type ImportCheckpoint = z.infer<typeof ImportCheckpoint>;

export const startOfImport: ImportCheckpoint = {
  stage: 'company',
  cursor: null,
  lastPageHash: null,
  probePageHash: null,
  pagesRead: 0,
  emptyPages: 0,
  pass: 1,
  recordedBefore: 0,
  accountsImported: 0,
  journalsImported: 0,
  journalsRefused: 0,
  refusedJournals: [],
  journalsCursor: null,
  chartRereadAt: null,
  chartsReread: 0,
};
