// The stages of an import: the company, its chart of accounts, its journals. Each page is recorded
// before the import moves on, so that what comes back to a page finds it done.

import type { PageRequest, Platform } from '#shared/platforms/platform.ts';
import type { ImportCheckpoint } from '#shared/store/import-checkpoint.ts';
import { ImportFailure } from './failure-policy.ts';
import {
  afterAccountPage,
  afterCompany,
  afterJournalPage,
  mayRereadChart,
  positionAfter,
  rereadChart,
} from './next-checkpoint.ts';
import { type RecordingContext, recordJournals } from './record-journals.ts';

export type StageContext = RecordingContext & {
  platform: Platform;
  /** Saves the checkpoint. @throws where another import has taken the place of this one */
  save: (checkpoint: ImportCheckpoint) => Promise<void>;
};

type Stage = (checkpoint: ImportCheckpoint, context: StageContext) => Promise<void>;

const checkCompany: Stage = async (checkpoint, context) => {
  const { currency } = await context.call(context.platform.company);
  if (currency !== context.tenantCurrency) throw new ImportFailure('company_currency_changed');
  await context.save(afterCompany(checkpoint));
};

const pageRequest = (
  { cursor }: ImportCheckpoint,
  { pageSizes, pageTimeoutMilliseconds }: Platform,
  of: 'accounts' | 'journals',
): PageRequest => ({
  cursor,
  rows: pageSizes[of][0] ?? 1,
  modifiedSince: null,
  timeoutMilliseconds: pageTimeoutMilliseconds,
});

const importAccounts: Stage = async (checkpoint, context) => {
  const { accounts, next } = await context.call((access) =>
    context.platform.accountPage(access, pageRequest(checkpoint, context.platform, 'accounts')),
  );
  const ids = accounts.map(({ accountId }) => accountId);
  const position = positionAfter({ ids, next }, checkpoint);
  await context.accounts.record(context.name, accounts);
  await context.save(afterAccountPage(checkpoint, { next, position, accounts: accounts.length }));
};

const importJournals: Stage = async (checkpoint, context) => {
  const { name, platform } = context;
  const request = pageRequest(checkpoint, platform, 'journals');
  const page = await context.call((access) => platform.journalPage(access, request));
  const references = page.journals.map(({ reference }) => reference);
  const position = positionAfter({ ids: references, next: page.next }, checkpoint);
  const known = await context.journals.findKnown(name, references);
  const distinct = new Map(page.journals.map((journal) => [journal.reference, journal]));
  const result = await recordJournals(
    [...distinct.values()].filter(({ reference }) => !known.has(reference)),
    {
      ...context,
      mayRereadChart: mayRereadChart(checkpoint),
      // The page is not done, but the run has made progress.
      onProgress: () => context.save(checkpoint),
    },
  );
  if (result === 'account_not_found') return context.save(rereadChart(checkpoint));
  const { accepted, refused } = result;
  // At the end they are counted in the table, since a run that died may have recorded some unsaid;
  // until then those that were there count too, the first time.
  const counted = checkpoint.pass === 1 ? known.size + accepted : accepted;
  const journalsImported =
    page.next === null ? await context.journals.count(name) : checkpoint.journalsImported + counted;
  const recorded = { next: page.next, position, journalsImported, refused };
  await context.save(afterJournalPage(checkpoint, recorded, platform));
};

/** Does the next page of each stage that an import can be in before it is done. */
export const stages: Record<Exclude<ImportCheckpoint['stage'], 'done'>, Stage> = {
  company: checkCompany,
  accounts: importAccounts,
  journals: importJournals,
};
