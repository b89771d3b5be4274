// The pages of an import: the company, its chart of accounts, its journals. Each page is recorded
// before the import moves on, so that what comes back to a page finds it done.

import { createHash } from 'node:crypto';
import {
  type ImportRefusal,
  type JournalToImport,
  makeImportedJournal,
  refusalOf,
} from '#shared/domain/imported-journals.ts';
import {
  type CompanyAccess,
  type ListedJournal,
  type Platform,
  PlatformFailure,
  type PlatformJournal,
} from '#shared/platforms/platform.ts';
import type { Charts, PlatformAccountEntry } from '#shared/store/charts.ts';
import type { ImportProgress, RefusedJournal } from '#shared/store/import-progress.ts';
import type { ImportedJournals } from '#shared/store/imported-journals.ts';
import type { TenantName } from '#shared/store/keys.ts';

/** Why an import cannot go on, besides what a platform's failure says. */
export class ImportFailure extends Error {
  readonly reason: 'company_currency_changed';
  constructor(reason: ImportFailure['reason']) {
    super(reason);
    this.reason = reason;
  }
}

export type PageContext = {
  name: TenantName;
  tenantCurrency: string;
  platform: Platform;
  /** Calls the platform, patiently, with a good access token. */
  call: <Result>(work: (access: CompanyAccess) => Promise<Result>) => Promise<Result>;
  charts: Charts;
  journals: ImportedJournals;
  clock: () => Date;
  newEntryId: () => string;
  /** Keeps where the import stands. @throws where another import has taken its place */
  save: (progress: ImportProgress) => Promise<void>;
};

/** Journals are read, where that takes a call each, and recorded in groups of this many. */
const groupSize = 100;

const mostRefusalsKept = 20;
const mostChartsReread = 10;
const mostEmptyPages = 20;
const mostWalks = 5;

/** Where reading stands after a page, and what later pages are compared with. */
type Standing = Pick<ImportProgress, 'pageMark' | 'cycleMark' | 'pagesRead' | 'emptyPages'>;

const beforeFirstPage: Standing = { pageMark: null, cycleMark: null, pagesRead: 0, emptyPages: 0 };

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count));

/**
 * Makes sure that pages advance: none repeats the one before it, leads to itself, or comes back in
 * a circle of any length (found by Brent's method: each page is compared with one before, which
 * moves on at the powers of two), and no more than a few in a row hold nothing.
 * @throws PlatformFailure
 */
const standingAfter = (
  { ids, next }: { ids: readonly string[]; next: string | null },
  before: ImportProgress,
): Standing => {
  const hash = createHash('sha256').update(ids.join('\n')).digest('base64url');
  const pageMark = ids.length === 0 ? null : hash;
  const pagesRead = before.pagesRead + 1;
  const emptyPages = pageMark === null ? before.emptyPages + 1 : 0;
  const problems = [
    [pageMark !== null && pageMark === before.pageMark, 'a page repeats the one before'],
    [pageMark !== null && pageMark === before.cycleMark, 'pages come back in a circle'],
    [next !== null && next === before.from, 'a page leads to itself'],
    [next !== null && emptyPages > mostEmptyPages, 'pages go on without holding anything'],
  ] as const;
  const problem = problems.find(([isSo]) => isSo);
  if (problem) {
    throw new PlatformFailure('page_did_not_advance', { cause: new Error(problem[1]) });
  }
  const cycleMark = isPowerOfTwo(pagesRead) ? pageMark : before.cycleMark;
  return { pageMark, cycleMark, pagesRead, emptyPages };
};

const checkCompany = async (progress: ImportProgress, context: PageContext): Promise<void> => {
  const { currency } = await context.call(context.platform.company);
  if (currency !== context.tenantCurrency) throw new ImportFailure('company_currency_changed');
  await context.save({ ...progress, ...beforeFirstPage, stage: 'accounts', from: null });
};

const importAccounts = async (progress: ImportProgress, context: PageContext): Promise<void> => {
  const page = await context.call((access) => context.platform.accountPage(access, progress.from));
  const ids = page.accounts.map(({ accountId }) => accountId);
  const standing = standingAfter({ ids, next: page.next }, progress);
  await context.charts.record(context.name, page.accounts);
  const accountsImported = progress.accountsImported + page.accounts.length;
  await context.save(
    page.next === null
      ? {
          ...progress,
          ...beforeFirstPage,
          stage: 'journals',
          from: progress.journalsFrom,
          accountsImported,
        }
      : { ...progress, ...standing, from: page.next, accountsImported },
  );
};

/** The ids of accounts that the journals name and the chart does not have, with those it has. */
const findAccounts = async (
  journals: readonly PlatformJournal[],
  { charts, name }: PageContext,
): Promise<ReadonlyMap<string, PlatformAccountEntry>> => {
  const ids = journals.flatMap(({ lines }) => lines.map(({ accountId }) => accountId));
  return charts.findMany(name, [...new Set(ids)]);
};

const resolve = (
  journal: PlatformJournal,
  accounts: ReadonlyMap<string, PlatformAccountEntry>,
  tenantCurrency: string,
): JournalToImport | undefined => {
  const lines = journal.lines.flatMap((line) => {
    const account = accounts.get(line.accountId);
    return account ? [{ ...line, account }] : [];
  });
  return lines.length < journal.lines.length
    ? undefined
    : { ...journal, currency: journal.currency ?? tenantCurrency, lines };
};

type GroupResult = { recorded: number; refused: RefusedJournal[] };

/** `undefined` where a journal names an account that the chart lacks and may have by now. */
const recordGroup = async (
  journals: readonly PlatformJournal[],
  { mayReread, ...context }: PageContext & { mayReread: boolean },
): Promise<GroupResult | undefined> => {
  const { tenantCurrency, name, clock, newEntryId } = context;
  const accounts = await findAccounts(journals, context);
  const refused: RefusedJournal[] = [];
  const entries = [];
  for (const journal of journals) {
    const resolved = resolve(journal, accounts, tenantCurrency);
    if (resolved === undefined && mayReread) return undefined;
    const reason: ImportRefusal | undefined = resolved
      ? refusalOf(resolved, tenantCurrency)
      : 'account_not_found';
    if (resolved === undefined || reason !== undefined) {
      refused.push({ reference: journal.reference, reason: reason ?? 'account_not_found' });
    } else {
      const createdAt = clock().toISOString();
      const made = { tenantCurrency, entryId: newEntryId(), createdAt };
      entries.push(makeImportedJournal(resolved, made));
    }
  }
  return { recorded: await context.journals.record(name, entries), refused };
};

/** Reads a group; what was read before a call failed is handed on with the failure. */
const readGroup = async (
  listed: readonly ListedJournal[],
  { call }: PageContext,
): Promise<{ journals: PlatformJournal[]; failure?: unknown }> => {
  const journals: PlatformJournal[] = [];
  for (const { read } of listed) {
    try {
      const journal = await call(read);
      if (journal !== null) journals.push(journal);
    } catch (failure) {
      return { journals, failure };
    }
  }
  return { journals };
};

/**
 * Where the import stands after a page of journals. Where a platform's pages shift when a journal
 * is deleted, the last page may not have been the end of it: they are walked through once more, and
 * again for as long as that brings something new.
 */
const afterPage = (
  page: { next: string | null; standing: Standing; isNews: boolean },
  { progress, platform }: { progress: ImportProgress; platform: Platform },
): Partial<ImportProgress> => {
  if (page.next !== null) return { ...page.standing, from: page.next };
  const mayHaveShifted = platform.pagesShift && progress.from !== null;
  const isWorthAWalk = progress.walk === 1 || page.isNews;
  if (!mayHaveShifted || !isWorthAWalk || progress.walk >= mostWalks) return { stage: 'done' };
  return {
    ...beforeFirstPage,
    from: null,
    walk: progress.walk + 1,
    recordedBefore: progress.journalsImported,
    chartRereadAt: null,
    // Those that are refused are met again, and counted then.
    journalsRefused: 0,
    refusals: [],
  };
};

const importJournals = async (progress: ImportProgress, context: PageContext): Promise<void> => {
  const page = await context.call((access) => context.platform.journalPage(access, progress.from));
  const references = page.journals.map(({ reference }) => reference);
  const standing = standingAfter({ ids: references, next: page.next }, progress);
  const known = await context.journals.findKnown(context.name, references);
  const distinct = new Map(page.journals.map((journal) => [journal.reference, journal]));
  const listed = [...distinct.values()].filter(({ reference }) => !known.has(reference));
  const mayReread =
    progress.chartRereadAt !== (progress.from ?? '') && progress.chartsReread < mostChartsReread;
  const refused: RefusedJournal[] = [];
  let accepted = 0;
  for (let first = 0; first < listed.length; first += groupSize) {
    const group = await readGroup(listed.slice(first, first + groupSize), context);
    const result = await recordGroup(group.journals, { ...context, mayReread });
    if (result === undefined) return context.save(chartAgain(progress));
    refused.push(...result.refused);
    accepted += group.journals.length - result.refused.length;
    // The page is not done, but the run was not fruitless.
    if (result.recorded > 0) await context.save(progress);
    if (group.failure !== undefined) throw group.failure;
  }
  // At the end they are counted in the table, since a run that died may have recorded some unsaid;
  // until then those that were there count too, the first time.
  const counted = progress.walk === 1 ? known.size + accepted : accepted;
  const journalsImported =
    page.next === null
      ? await context.journals.count(context.name)
      : progress.journalsImported + counted;
  const after = {
    ...progress,
    journalsImported,
    journalsRefused: progress.journalsRefused + refused.length,
    refusals: [...progress.refusals, ...refused].slice(0, mostRefusalsKept),
  };
  const { platform } = context;
  const isNews = journalsImported > progress.recordedBefore;
  const ending = { next: page.next, standing, isNews };
  // The last walk's refusals are the ones that stand.
  await context.save({ ...after, ...afterPage(ending, { progress: after, platform }) });
};

/** Back to the chart, which may have grown since it was read, and then to this page again. */
const chartAgain = (progress: ImportProgress): ImportProgress => ({
  ...progress,
  ...beforeFirstPage,
  stage: 'accounts',
  from: null,
  accountsImported: 0,
  journalsFrom: progress.from,
  chartRereadAt: progress.from ?? '',
  chartsReread: progress.chartsReread + 1,
});

/** Does the page at which an import stands that is not done. */
export const importPage: Record<
  Exclude<ImportProgress['stage'], 'done'>,
  (progress: ImportProgress, context: PageContext) => Promise<void>
> = { company: checkCompany, accounts: importAccounts, journals: importJournals };
