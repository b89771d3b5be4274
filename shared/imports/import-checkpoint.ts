// The checkpoint of an import: its progress and its counts.

import * as z from 'zod/mini';
import { ComparedDay } from '../balances/balance-days.ts';
import { Assumption, ChangedJournal, RefusedRecord } from './import-report.ts';

/**
 * The comparison with the platform's trial balances. The days in `days` are compared and posted;
 * those of `remaining` and today follow. `hash` is the hash of the report of today.
 */
export const BalancesCheckpoint = z.object({
  today: z.string(),
  yearEnd: z.string(),
  opening: z.string(),
  isComplete: z.boolean(),
  remaining: z.array(z.string()),
  days: z.array(ComparedDay),
  hash: z.nullable(z.string()),
  round: z.int(),
});
export type BalancesCheckpoint = z.infer<typeof BalancesCheckpoint>;

export const importCounts = {
  accountsImported: z.int(),
  journalsImported: z.int(),
  /** The numbers of edits and of voided journals that were followed until now. */
  journalsRevised: z._default(z.int(), 0),
  journalsVoided: z._default(z.int(), 0),
  accountsRefused: z._default(z.int(), 0),
  journalsRefused: z.int(),
};

/** Everything before `cursor` in `stage` is recorded. */
export const ImportCheckpoint = z.object({
  stage: z.enum(['company', 'accounts', 'journals', 'removals', 'balances', 'done']),
  cursor: z.nullable(z.string()),
  /** Hashes of the previous page and of an earlier one. They detect repeated pages. */
  lastPageHash: z.nullable(z.string()),
  probePageHash: z.nullable(z.string()),
  /** The number of pages of this stage and pass, and of consecutive empty pages at its end. */
  pagesRead: z.int(),
  emptyPages: z.int(),
  /** The number of this pass over the journals, and of journals recorded before the pass. */
  pass: z.int(),
  recordedBefore: z.int(),
  ...importCounts,
  /** The first refused records and the counts by reason. Old checkpoints lack the fields below. */
  refused: z._default(z.array(RefusedRecord), []),
  refusedByReason: z._default(z.record(z.string(), z.int()), {}),
  /** The last lock date that refused a journal, or null. */
  lockDate: z._default(z.nullable(z.string()), null),
  /** The first assumptions and changes, with their counts. */
  assumptions: z._default(z.array(Assumption), []),
  assumptionCount: z._default(z.int(), 0),
  changes: z._default(z.array(ChangedJournal), []),
  changeCount: z._default(z.int(), 0),
  /** The index into the platform's page sizes for each list. 0 is the largest size. */
  pageSizeSteps: z._default(z.object({ accounts: z.int(), journals: z.int() }), {
    accounts: 0,
    journals: 0,
  }),
  /** The cursor at which journals continue after the chart is read. */
  journalsCursor: z.nullable(z.string()),
  /** The page for which the chart was last read again, and the number of such reads. */
  chartRereadAt: z.nullable(z.string()),
  chartsReread: z.int(),
  /** The last day of the company's fiscal year, MM-DD; null until the company is read. */
  yearEnd: z._default(z.nullable(z.string()), null),
  /** Whether the import follows changes of imported journals. */
  followsEdits: z._default(z.boolean(), false),
  /** The first date of a journal that this import has recorded or reversed. */
  changedFrom: z._default(z.nullable(z.string()), null),
  /** Null before the comparison with trial balances begins, and after it. */
  balances: z._default(z.nullable(BalancesCheckpoint), null),
  /** Why no trial balance could be compared. */
  balancesReason: z._default(z.nullable(z.string()), null),
});
export type ImportCheckpoint = z.infer<typeof ImportCheckpoint>;

/** The counts of an import, as replies, events and logs show them. */
export const importCountsOf = (checkpoint: Pick<ImportCheckpoint, keyof typeof importCounts>) => ({
  accounts_imported: checkpoint.accountsImported,
  journals_imported: checkpoint.journalsImported,
  journals_revised: checkpoint.journalsRevised,
  journals_voided: checkpoint.journalsVoided,
  accounts_refused: checkpoint.accountsRefused,
  journals_refused: checkpoint.journalsRefused,
});

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
  journalsRevised: 0,
  journalsVoided: 0,
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
  yearEnd: null,
  followsEdits: false,
  changedFrom: null,
  balances: null,
  balancesReason: null,
};
