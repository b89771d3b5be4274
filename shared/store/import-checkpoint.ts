// Where an import stands: what is recorded, and where it goes on.

import * as z from 'zod/mini';

/** A journal that could not stand in the ledger, and why. */
const RefusedJournal = z.object({ reference: z.string(), reason: z.string() });
export type RefusedJournal = z.infer<typeof RefusedJournal>;

/** Where an import stands: everything that came before `cursor` in `stage` is recorded. */
export const ImportCheckpoint = z.object({
  stage: z.enum(['company', 'accounts', 'journals', 'done']),
  cursor: z.nullable(z.string()),
  /** What the page before `cursor` held, and one further back: pages must not come again. */
  lastPageHash: z.nullable(z.string()),
  probePageHash: z.nullable(z.string()),
  /** Pages of this stage and pass, and how many that held nothing were the last. */
  pagesRead: z.int(),
  emptyPages: z.int(),
  /** Which time the journals are walked through, and how many were there before this time. */
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
