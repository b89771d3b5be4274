// The pages of an import: the company, its chart of accounts, its journals. Each page is recorded
// before the import moves on, so that what comes back to a page finds it done.

import { createHash } from 'node:crypto';
import {
  type ImportRejection,
  type JournalToImport,
  makeImportedJournal,
  rejectionOf,
} from '#shared/domain/imported-journals.ts';
import {
  type CompanyAccess,
  type ListedJournal,
  type Platform,
  PlatformFailure,
  type PlatformJournal,
} from '#shared/platforms/platform.ts';
import type { Accounts, PlatformAccountEntry } from '#shared/store/accounts.ts';
import type { ImportCheckpoint, RefusedJournal } from '#shared/store/import-checkpoint.ts';
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
  /** Calls the platform, withRetry, with a good access token. */
  call: <Result>(work: (access: CompanyAccess) => Promise<Result>) => Promise<Result>;
  accounts: Accounts;
  journals: ImportedJournals;
  clock: () => Date;
  newEntryId: () => string;
  /** Keeps where the import stands. @throws where another import has taken its place */
  save: (checkpoint: ImportCheckpoint) => Promise<void>;
};

/** Journals are read, where that takes a call each, and recorded in groups of this many. */
const groupSize = 100;

const maximumRefusalsKept = 20;
const maximumChartRereads = 10;
const maximumEmptyPages = 20;
const maximumPasses = 5;

/** Where reading stands after a page, and what later pages are compared with. */
type PagePosition = Pick<
  ImportCheckpoint,
  'lastPageHash' | 'probePageHash' | 'pagesRead' | 'emptyPages'
>;

const beforeFirstPage: PagePosition = {
  lastPageHash: null,
  probePageHash: null,
  pagesRead: 0,
  emptyPages: 0,
};

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count));

/**
 * Makes sure that pages advance: none repeats the one before it, leads to itself, or comes back in
 * a circle of any length (found by Brent's method: each page is compared with one before, which
 * moves on at the powers of two), and no more than a few in a row hold nothing.
 * @throws PlatformFailure
 */
const positionAfter = (
  { ids, next }: { ids: readonly string[]; next: string | null },
  before: ImportCheckpoint,
): PagePosition => {
  const hash = createHash('sha256').update(ids.join('\n')).digest('base64url');
  const lastPageHash = ids.length === 0 ? null : hash;
  const pagesRead = before.pagesRead + 1;
  const emptyPages = lastPageHash === null ? before.emptyPages + 1 : 0;
  const problems = [
    [
      lastPageHash !== null && lastPageHash === before.lastPageHash,
      'a page repeats the one before',
    ],
    [lastPageHash !== null && lastPageHash === before.probePageHash, 'pages come back in a circle'],
    [next !== null && next === before.cursor, 'a page leads to itself'],
    [next !== null && emptyPages > maximumEmptyPages, 'pages go on without holding anything'],
  ] as const;
  const problem = problems.find(([isSo]) => isSo);
  if (problem) {
    throw new PlatformFailure('page_did_not_advance', { cause: new Error(problem[1]) });
  }
  const probePageHash = isPowerOfTwo(pagesRead) ? lastPageHash : before.probePageHash;
  return { lastPageHash, probePageHash, pagesRead, emptyPages };
};

const checkCompany = async (checkpoint: ImportCheckpoint, context: PageContext): Promise<void> => {
  const { currency } = await context.call(context.platform.company);
  if (currency !== context.tenantCurrency) throw new ImportFailure('company_currency_changed');
  await context.save({ ...checkpoint, ...beforeFirstPage, stage: 'accounts', cursor: null });
};

const importAccounts = async (
  checkpoint: ImportCheckpoint,
  context: PageContext,
): Promise<void> => {
  const page = await context.call((access) =>
    context.platform.accountPage(access, checkpoint.cursor),
  );
  const ids = page.accounts.map(({ accountId }) => accountId);
  const position = positionAfter({ ids, next: page.next }, checkpoint);
  await context.accounts.record(context.name, page.accounts);
  const accountsImported = checkpoint.accountsImported + page.accounts.length;
  await context.save(
    page.next === null
      ? {
          ...checkpoint,
          ...beforeFirstPage,
          stage: 'journals',
          cursor: checkpoint.journalsCursor,
          accountsImported,
        }
      : { ...checkpoint, ...position, cursor: page.next, accountsImported },
  );
};

/** The ids of accounts that the journals name and the chart does not have, with those it has. */
const findAccounts = async (
  journals: readonly PlatformJournal[],
  { accounts, name }: PageContext,
): Promise<ReadonlyMap<string, PlatformAccountEntry>> => {
  const ids = journals.flatMap(({ lines }) => lines.map(({ accountId }) => accountId));
  return accounts.findMany(name, [...new Set(ids)]);
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
    const reason: ImportRejection | undefined = resolved
      ? rejectionOf(resolved, tenantCurrency)
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
  page: { next: string | null; position: PagePosition; isNews: boolean },
  { checkpoint, platform }: { checkpoint: ImportCheckpoint; platform: Platform },
): Partial<ImportCheckpoint> => {
  if (page.next !== null) return { ...page.position, cursor: page.next };
  const mayHaveShifted = platform.pagesShift && checkpoint.cursor !== null;
  const isWorthAPass = checkpoint.pass === 1 || page.isNews;
  if (!mayHaveShifted || !isWorthAPass || checkpoint.pass >= maximumPasses)
    return { stage: 'done' };
  return {
    ...beforeFirstPage,
    cursor: null,
    pass: checkpoint.pass + 1,
    recordedBefore: checkpoint.journalsImported,
    chartRereadAt: null,
    // Those that are refused are met again, and counted then.
    journalsRefused: 0,
    refusedJournals: [],
  };
};

const importJournals = async (
  checkpoint: ImportCheckpoint,
  context: PageContext,
): Promise<void> => {
  const page = await context.call((access) =>
    context.platform.journalPage(access, checkpoint.cursor),
  );
  const references = page.journals.map(({ reference }) => reference);
  const position = positionAfter({ ids: references, next: page.next }, checkpoint);
  const known = await context.journals.findKnown(context.name, references);
  const distinct = new Map(page.journals.map((journal) => [journal.reference, journal]));
  const listed = [...distinct.values()].filter(({ reference }) => !known.has(reference));
  const mayReread =
    checkpoint.chartRereadAt !== (checkpoint.cursor ?? '') &&
    checkpoint.chartsReread < maximumChartRereads;
  const refused: RefusedJournal[] = [];
  let accepted = 0;
  for (let first = 0; first < listed.length; first += groupSize) {
    const group = await readGroup(listed.slice(first, first + groupSize), context);
    const result = await recordGroup(group.journals, { ...context, mayReread });
    if (result === undefined) return context.save(chartAgain(checkpoint));
    refused.push(...result.refused);
    accepted += group.journals.length - result.refused.length;
    // The page is not done, but the run was not fruitless.
    if (result.recorded > 0) await context.save(checkpoint);
    if (group.failure !== undefined) throw group.failure;
  }
  // At the end they are counted in the table, since a run that died may have recorded some unsaid;
  // until then those that were there count too, the first time.
  const counted = checkpoint.pass === 1 ? known.size + accepted : accepted;
  const journalsImported =
    page.next === null
      ? await context.journals.count(context.name)
      : checkpoint.journalsImported + counted;
  const after = {
    ...checkpoint,
    journalsImported,
    journalsRefused: checkpoint.journalsRefused + refused.length,
    refusedJournals: [...checkpoint.refusedJournals, ...refused].slice(0, maximumRefusalsKept),
  };
  const { platform } = context;
  const isNews = journalsImported > checkpoint.recordedBefore;
  const ending = { next: page.next, position, isNews };
  // The last pass's refusals are the ones that stand.
  await context.save({ ...after, ...afterPage(ending, { checkpoint: after, platform }) });
};

/** Back to the chart, which may have grown since it was read, and then to this page again. */
const chartAgain = (checkpoint: ImportCheckpoint): ImportCheckpoint => ({
  ...checkpoint,
  ...beforeFirstPage,
  stage: 'accounts',
  cursor: null,
  accountsImported: 0,
  journalsCursor: checkpoint.cursor,
  chartRereadAt: checkpoint.cursor ?? '',
  chartsReread: checkpoint.chartsReread + 1,
});

/** Does the page at which an import stands that is not done. */
export const importPage: Record<
  Exclude<ImportCheckpoint['stage'], 'done'>,
  (checkpoint: ImportCheckpoint, context: PageContext) => Promise<void>
> = { company: checkCompany, accounts: importAccounts, journals: importJournals };
