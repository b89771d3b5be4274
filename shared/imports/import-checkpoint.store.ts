// The checkpoint of an import: what is recorded, and where it goes on.

import * as z from 'zod/mini';
import { Assumption, ChangedJournal, RefusedRecord } from './import-report.ts';

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
  accountsRefused: z._default(z.int(), 0),
  journalsRefused: z.int(),
  /**
   * The first of them, and how many there are of each reason. Checkpoints that were written before
   * there were reports lack these and the next ones.
   */
  refused: z._default(z.array(RefusedRecord), []),
  refusedByReason: z._default(z.record(z.string(), z.int()), {}),
  /** The lock of the tenant that journals were refused for last; `null` where none were. */
  lockDate: z._default(z.nullable(z.string()), null),
  /** The first of them, and how many there are. */
  assumptions: z._default(z.array(Assumption), []),
  assumptionCount: z._default(z.int(), 0),
  changes: z._default(z.array(ChangedJournal), []),
  changeCount: z._default(z.int(), 0),
  /** Which of its platform's page sizes each list is read with: 0 for the largest. */
  pageSizeSteps: z._default(z.object({ accounts: z.int(), journals: z.int() }), {
    accounts: 0,
    journals: 0,
  }),
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
  accountsRefused: 0,
  journalsRefused: 0,
  refused: [],
  refusedByReason: {},
  lockDate: null,
  assumptions: [],
  assumptionCount: 0,
  changes: [],
  changeCount: 0,
  pageSizeSteps: { accounts: 0, journals: 0 },
  journalsCursor: null,
  chartRereadAt: null,
  chartsReread: 0,
};
