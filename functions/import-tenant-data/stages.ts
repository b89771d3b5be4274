// The stages of an import: the company, its chart of accounts, its journals. Each page is recorded
// before the import moves on, so that what comes back to a page finds it done.

import type { ImportCheckpoint } from '#shared/imports/import-checkpoint.store.ts';
import type { RefusedRecord } from '#shared/imports/import-report.ts';
import type { CompanyAccess, PageRequest, Platform } from '#shared/platforms/platform.ts';
import { ImportFailure } from './failure-policy.ts';
import {
  afterAccountPage,
  afterCompany,
  afterJournalPage,
  mayRereadChart,
  positionAfter,
  rereadChart,
} from './next-checkpoint.ts';
import {
  hasSmallerPages,
  isPageTooLarge,
  type PagedList,
  rowsPerPage,
  withLargerPages,
  withSmallerPages,
} from './page-sizes.ts';
import { DeadlineNear } from './platform-retry.ts';
import { type RecordingContext, recordJournals } from './record-journals.ts';
import { noFindings, withFindings } from './report.ts';

export type StageContext = RecordingContext & {
  platform: Platform;
  /** Since when what was made or changed is asked for; everything where it is `null`. */
  modifiedSince: Date | null;
  /** Saves the checkpoint. @throws where another import has taken the place of this one */
  save: (checkpoint: ImportCheckpoint) => Promise<void>;
  /** Saves a checkpoint that changes how the import goes on, and is no progress. */
  adjust: (checkpoint: ImportCheckpoint) => Promise<void>;
  pageRead: () => void;
};

type Stage = (checkpoint: ImportCheckpoint, context: StageContext) => Promise<void>;

const checkCompany: Stage = async (checkpoint, context) => {
  const { currency } = await context.call(context.platform.company);
  if (currency !== context.tenantCurrency) throw new ImportFailure('company_currency_changed');
  await context.save(afterCompany(checkpoint));
};

/** Reads the page at which the import stands; `too_large` where smaller ones are to be tried. */
const readPage = async <Page>(
  checkpoint: ImportCheckpoint,
  {
    list,
    read,
    ...context
  }: StageContext & {
    list: PagedList;
    read: (access: CompanyAccess, page: PageRequest) => Promise<Page>;
  },
): Promise<Page | 'too_large'> => {
  const { platform, modifiedSince } = context;
  const rows = rowsPerPage(checkpoint, { list, platform });
  const hasSmaller = hasSmallerPages(checkpoint, { list, platform });
  try {
    const page = await context.call(
      (access, timeLimit) =>
        read(access, {
          cursor: checkpoint.cursor,
          rows,
          modifiedSince,
          timeoutMilliseconds: timeLimit(),
        }),
      { repeatsTimeouts: !hasSmaller },
    );
    context.pageRead();
    return page;
  } catch (error) {
    if (!(hasSmaller && isPageTooLarge(error))) throw error;
    await context.adjust(withSmallerPages(checkpoint, list));
    return 'too_large';
  }
};

const importAccounts: Stage = async (checkpoint, context) => {
  const { name, platform, isComplete } = context;
  const page = await readPage(checkpoint, {
    ...context,
    list: 'accounts',
    read: platform.accountPage,
  });
  if (page === 'too_large') return;
  const { accounts, unused, refused, assumptions, next } = page;
  const ids = accounts.map(({ accountId }) => accountId);
  const listed = [...ids, ...refused.map(({ reference }) => reference)];
  const position = positionAfter({ ids: listed, next }, checkpoint);
  const leftOut = new Set(await context.accounts.record(name, accounts));
  const settled = [...ids.filter((id) => !leftOut.has(id)), ...unused];
  const beyondQuota = [...leftOut].map((reference): RefusedRecord => {
    return { kind: 'account', reference, reason: 'account_quota_reached', field: null };
  });
  const reported = withFindings(
    checkpoint,
    {
      ...{ ...noFindings('account'), settled, assumed: assumptions },
      refused: [...refused, ...beyondQuota],
    },
    { isFirst: checkpoint.chartsReread === 0, isComplete },
  );
  // Those that were added to the chart are counted in the table at the end, since a run that died
  // may have recorded some unsaid.
  const recorded = accounts.length - leftOut.size;
  const counted = isComplete ? checkpoint.accountsImported + recorded : undefined;
  const accountsImported =
    counted ?? (next === null ? await context.accounts.count(name) : checkpoint.accountsImported);
  const after = afterAccountPage(reported, { next, position, accountsImported });
  await context.save(withLargerPages(after, platform));
};

const importJournals: Stage = async (checkpoint, context) => {
  const { name, platform, isComplete } = context;
  const page = await readPage(checkpoint, {
    ...context,
    list: 'journals',
    read: platform.journalPage,
  });
  if (page === 'too_large') return;
  const references = page.journals.map(({ reference }) => reference);
  const listed = [...references, ...page.refused.map(({ reference }) => reference)];
  const { next, pagesShift = platform.pagesShift } = page;
  // A platform may have begun to list the same journals in another way.
  const list = pagesShift ? 'shifts' : '';
  const position = positionAfter({ ids: listed, next, list }, checkpoint);
  const known = await context.journals.findKnown(name, references);
  const distinct = new Map(page.journals.map((journal) => [journal.reference, journal]));
  let hasProgress = false;
  const result = await recordJournals([...distinct.values()], {
    ...context,
    known,
    mayRereadChart: mayRereadChart(checkpoint),
    // The page is not done, but the run has made progress.
    onProgress: () => {
      hasProgress = true;
      return context.save(checkpoint);
    },
  }).catch(async (error: unknown): Promise<never> => {
    // Where a page's journals are only looked at, nothing is kept of that: a page that takes longer
    // than a run would never be done.
    const isTooLong = error instanceof DeadlineNear && !hasProgress;
    if (isTooLong && hasSmallerPages(checkpoint, { list: 'journals', platform })) {
      await context.adjust(withSmallerPages(checkpoint, 'journals'));
    }
    throw error;
  });
  if (result === 'account_not_found') return context.save(rereadChart(checkpoint, context));
  const { added, findings } = result;
  const isFirst = checkpoint.pass === 1;
  // At the end they are counted in the table, since a run that died may have recorded some unsaid;
  // until then those that were there count too, the first time.
  const counted = isFirst ? known.size + added : added;
  const journalsImported =
    next === null ? await context.journals.count(name) : checkpoint.journalsImported + counted;
  const reported = withFindings(
    checkpoint,
    { ...findings, refused: [...page.refused, ...findings.refused] },
    { isFirst, isComplete },
  );
  const recorded = { next, position, journalsImported };
  const after = afterJournalPage(reported, recorded, { pagesShift });
  await context.save(withLargerPages(after, platform));
};

/** Does the next page of each stage that an import can be in before it is done. */
export const stages: Record<Exclude<ImportCheckpoint['stage'], 'done'>, Stage> = {
  company: checkCompany,
  accounts: importAccounts,
  journals: importJournals,
};
