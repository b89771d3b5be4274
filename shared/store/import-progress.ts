// Where an import stands: what is recorded, and where it goes on.

import * as z from 'zod/mini';

/** A journal that could not stand in the ledger, and why. */
const RefusedJournal = z.object({ reference: z.string(), reason: z.string() });
export type RefusedJournal = z.infer<typeof RefusedJournal>;

/** Where an import stands: everything that came before `from` in `stage` is recorded. */
export const ImportProgress = z.object({
  stage: z.enum(['company', 'accounts', 'journals', 'done']),
  from: z.nullable(z.string()),
  /** What the page before `from` held, and one further back: pages must not come again. */
  pageMark: z.nullable(z.string()),
  cycleMark: z.nullable(z.string()),
  /** Pages of this stage and walk, and how many that held nothing were the last. */
  pagesRead: z.int(),
  emptyPages: z.int(),
  /** Which time the journals are walked through, and how many were there before this time. */
  walk: z.int(),
  recordedBefore: z.int(),
  accountsImported: z.int(),
  journalsImported: z.int(),
  journalsRefused: z.int(),
  /** The first of them. */
  refusals: z.array(RefusedJournal),
  /** Where the journals go on, once the chart is read. */
  journalsFrom: z.nullable(z.string()),
  /** The page whose journals named an account that the chart did not have, and how many pages. */
  chartRereadAt: z.nullable(z.string()),
  chartsReread: z.int(),
});
export type ImportProgress = z.infer<typeof ImportProgress>;

export const startOfImport: ImportProgress = {
  stage: 'company',
  from: null,
  pageMark: null,
  cycleMark: null,
  pagesRead: 0,
  emptyPages: 0,
  walk: 1,
  recordedBefore: 0,
  accountsImported: 0,
  journalsImported: 0,
  journalsRefused: 0,
  refusals: [],
  journalsFrom: null,
  chartRereadAt: null,
  chartsReread: 0,
};
