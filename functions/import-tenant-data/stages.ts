// The stages of an import: the company, its chart of accounts, its journals. Each page is recorded
// before the import continues, so a page that is read again is already recorded.

import type { ImportCheckpoint } from '#shared/imports/import-checkpoint.ts';
import type { RefusedRecord } from '#shared/imports/import-report.ts';
import { noFindings, withFindings } from '#shared/imports/page-findings.ts';
import type { CompanyAccess, ListedJournal, PageRequest } from '#shared/platforms/platform.ts';
import { type BalancesContext, compareBalances } from './compare-balances.ts';
import {
  afterAccountPage,
  afterCompany,
  afterJournalPage,
  hasSmallerPages,
  isPageTooLarge,
  mayRereadChart,
  type PagedList,
  positionAfter,
  rereadChart,
  rowsPerPage,
  withLargerPages,
  withSmallerPages,
} from './next-checkpoint.ts';
import { DeadlineNear } from './platform-retry.ts';
import { recordJournals } from './record-journals.ts';
import { ImportFailure } from './run-outcome.ts';

export type StageContext = BalancesContext & {
  /** Only records created or changed since then are read; `null` reads all. */
  modifiedSince: Date | null;
  /** Saves a checkpoint without progress, for example with another page size. */
  adjust: (checkpoint: ImportCheckpoint) => Promise<void>;
  pageRead: () => void;
};

type Stage = (checkpoint: ImportCheckpoint, context: StageContext) => Promise<void>;

const checkCompany: Stage = async (checkpoint, context) => {
  const company = await context.call(context.platform.company);
  if (company.currency !== context.tenantCurrency) {
    throw new ImportFailure('company_currency_changed');
  }
  await context.save(afterCompany(checkpoint, company));
};

/** Reads the next page. Returns `too_large` if the import must try a smaller page. */
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
  const result = await context.accounts.record(name, accounts);
  const [omitted, keptTypes] = [new Set(result.omitted), new Set(result.keptTypes)];
  const isSettled = (id: string): boolean => !omitted.has(id) && !keptTypes.has(id);
  const settled = [...ids.filter(isSettled), ...unused];
  const beyondQuota = [...omitted].map((reference): RefusedRecord => {
    return { kind: 'account', reference, reason: 'account_quota_reached', field: null };
  });
  const retyped = [...keptTypes].map((reference): RefusedRecord => {
    return { kind: 'account', reference, reason: 'account_type_locked', field: 'type' };
  });
  const reported = withFindings(
    checkpoint,
    {
      ...noFindings('account'),
      settled,
      assumed: assumptions,
      refused: [...refused, ...beyondQuota, ...retyped],
    },
    { isFirst: checkpoint.chartsReread === 0, isComplete },
  );
  // At the end, accounts of a partial import are counted in the table, because a run can die after
  // it has recorded some and before it saves the checkpoint.
  const recorded = accounts.length - omitted.size;
  const counted = isComplete ? checkpoint.accountsImported + recorded : undefined;
  const accountsImported =
    counted ?? (next === null ? await context.accounts.count(name) : checkpoint.accountsImported);
  const after = afterAccountPage(reported, { next, position, accountsImported });
  await context.save(withLargerPages(after, platform));
};

/** The journal, whose date is added when it is read. */
const withDates = (journal: ListedJournal, dates: string[]): ListedJournal => ({
  ...journal,
  read: async (...args) => {
    const result = await journal.read(...args);
    if (result.state === 'posted') dates.push(result.journal.date);
    return result;
  },
});

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
  // A platform can switch to another list of the same journals.
  const list = pagesShift ? 'shifts' : '';
  const position = positionAfter({ ids: listed, next, list }, checkpoint);
  const known = await context.journals.findKnown(name, references);
  // A run that dies reads the page again, so the dates do not depend on what it has recorded.
  const dates: string[] = [];
  const distinct = new Map(
    page.journals.map((journal) => [journal.reference, withDates(journal, dates)]),
  );
  let hasProgress = false;
  const result = await recordJournals([...distinct.values()], {
    ...context,
    known,
    mayRereadChart: mayRereadChart(checkpoint),
    // The page is not complete, but the run has made progress.
    onProgress: () => {
      hasProgress = true;
      return context.save(checkpoint);
    },
  }).catch(async (error: unknown): Promise<never> => {
    // A page whose journals are only checked for changes records nothing. If it takes longer than a
    // run, only a smaller page can complete.
    const isTooLong = error instanceof DeadlineNear && !hasProgress;
    if (isTooLong && hasSmallerPages(checkpoint, { list: 'journals', platform })) {
      await context.adjust(withSmallerPages(checkpoint, 'journals'));
    }
    throw error;
  });
  if (result === 'account_not_found') return context.save(rereadChart(checkpoint, context));
  const { added, findings, replacedDates } = result;
  const isFirst = checkpoint.pass === 1;
  // At the end, journals are counted in the table, because a run can die after it has recorded some
  // and before it saves the checkpoint. Until then, the first pass also counts existing journals.
  const counted = isFirst ? known.size + added : added;
  const journalsImported =
    next === null ? await context.journals.count(name) : checkpoint.journalsImported + counted;
  const reported = withFindings(
    checkpoint,
    { ...findings, refused: [...page.refused, ...findings.refused] },
    { isFirst, isComplete },
  );
  const changedFrom =
    [...dates, ...replacedDates, reported.changedFrom ?? ''].filter(Boolean).sort()[0] ?? null;
  const recorded = { next, position, journalsImported };
  const after = afterJournalPage({ ...reported, changedFrom }, recorded, { pagesShift });
  await context.save(withLargerPages(after, platform));
};

/** Imports the next page of each stage. */
export const stages: Record<Exclude<ImportCheckpoint['stage'], 'done'>, Stage> = {
  company: checkCompany,
  accounts: importAccounts,
  journals: importJournals,
  balances: compareBalances,
};
