// The stages of an import: the company, its chart of accounts, its journals, those that were
// removed, its balances. Each page is recorded before the import continues, so a page that is read
// again is already recorded.

import type { ImportCheckpoint } from '#shared/imports/import-checkpoint.ts';
import type { RefusedRecord } from '#shared/imports/import-report.ts';
import { noFindings, withFindings } from '#shared/imports/page-findings.ts';
import type { CompanyAccess, ListedJournal, PageRequest } from '#shared/platforms/platform.ts';
import { type BalancesContext, compareBalances } from './compare-balances.ts';
import { checkKnown } from './follow-changes.ts';
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
  importId: string;
  /** Only records created or changed since then are read; `null` reads all. */
  modifiedSince: Date | null;
  /** Whether the tenant wants imports to follow changes of imported journals. */
  followsEdits: boolean;
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
  const { followsEdits } = context;
  await context.save(afterCompany(checkpoint, { ...company, followsEdits }));
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

const countsOf = async ({ name, journals }: Pick<StageContext, 'name' | 'journals'>) => {
  const { imported, revised, voided } = await journals.count(name);
  return { journalsImported: imported, journalsRevised: revised, journalsVoided: voided };
};

/** Whether a journal that the list lacks may have been deleted. */
const mayLackJournals = ({ platform, isComplete }: StageContext): boolean =>
  isComplete && platform.readJournal !== null;

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
  if (mayLackJournals(context)) {
    const { importId, clock } = context;
    const pageId = `${checkpoint.pass}#${checkpoint.cursor ?? ''}`;
    const saved = { page: pageId, importId, references: listed, now: clock() };
    await context.journals.saveListed(name, saved);
  }
  const known = await context.journals.findKnown(name, references);
  // A run that dies reads the page again, so the dates do not depend on what it has recorded.
  const dates: string[] = [];
  const distinct = new Map(
    page.journals.map((journal) => [journal.reference, withDates(journal, dates)]),
  );
  let hasProgress = false;
  const inReport = new Set(
    [...checkpoint.changes, ...checkpoint.refused].map(({ reference }) => reference),
  );
  const result = await recordJournals([...distinct.values()], {
    ...context,
    followsEdits: checkpoint.followsEdits,
    known,
    reported: inReport,
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
  const { added, findings } = result;
  const isFirst = checkpoint.pass === 1;
  const found = withFindings(
    checkpoint,
    { ...findings, refused: [...page.refused, ...findings.refused] },
    { isFirst, isComplete },
  );
  // At the end, journals are counted in the table, because a run can die after it has recorded some
  // and before it saves the checkpoint. Until then, the first pass also counts existing journals.
  const counted = isFirst ? known.size + added : added;
  const counts =
    next === null
      ? await countsOf(context)
      : { journalsImported: checkpoint.journalsImported + counted };
  const changes = [...dates, ...findings.replacedDates, found.changedFrom ?? ''];
  const changedFrom = changes.filter(Boolean).sort()[0] ?? null;
  const nextStage = mayLackJournals(context) ? 'removals' : 'balances';
  const { journalsImported } = counts;
  const recorded = { next, position, journalsImported };
  const after = afterJournalPage({ ...found, ...counts, changedFrom }, recorded, {
    pagesShift,
    nextStage,
  });
  await context.save(withLargerPages(after, platform));
};

/** Follows the removal of journals that the list of the platform lacks, after asking for each. */
const followRemovals: Stage = async (checkpoint, context) => {
  const { name, platform, importId } = context;
  const known = await context.journals.findUnlisted(name, importId);
  const listed = [...known.keys()].map((reference): ListedJournal => {
    const read: ListedJournal['read'] = async (access, options) => {
      if (platform.readJournal === null) throw new Error('the platform reads no journals');
      return platform.readJournal(access, { reference, ...options });
    };
    return { reference, isWhole: false, read };
  });
  const findings = await checkKnown(listed, {
    ...context,
    followsEdits: checkpoint.followsEdits,
    isComplete: false,
    known,
    reported: new Set(),
    mayRereadChart: false,
    onProgress: () => context.save(checkpoint),
  });
  if (findings === 'account_not_found') throw new Error('the chart was to be read again');
  const found = withFindings(checkpoint, findings, { isFirst: true, isComplete: true });
  // A complete import compares all days, so it needs no first date of a change.
  await context.save({ ...found, ...(await countsOf(context)), stage: 'balances' });
};

/** Imports the next page of each stage. */
export const stages: Record<Exclude<ImportCheckpoint['stage'], 'done'>, Stage> = {
  company: checkCompany,
  accounts: importAccounts,
  journals: importJournals,
  removals: followRemovals,
  balances: compareBalances,
};
