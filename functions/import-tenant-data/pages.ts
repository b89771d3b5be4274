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
import type { ImportedJournals } from '#shared/store/imported-journals.ts';
import type { ImportProgress, RefusedJournal } from '#shared/store/imports.ts';
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

/**
 * What tells a page from the one before it.
 * @throws PlatformFailure where it holds just the same as that one, or leads to itself
 */
const markOf = (
  { ids, next }: { ids: readonly string[]; next: string | null },
  { from, pageMark }: ImportProgress,
): string | null => {
  const hash = createHash('sha256').update(ids.join('\n')).digest('base64url');
  const mark = ids.length === 0 ? null : hash;
  const isRepeated = mark !== null && mark === pageMark;
  const leadsToItself = next !== null && next === from;
  if (!isRepeated && !leadsToItself) return mark;
  const cause = new Error(isRepeated ? 'a page repeats the one before' : 'a page leads to itself');
  throw new PlatformFailure('page_did_not_advance', { cause });
};

const checkCompany = async (progress: ImportProgress, context: PageContext): Promise<void> => {
  const { currency } = await context.call(context.platform.company);
  if (currency !== context.tenantCurrency) throw new ImportFailure('company_currency_changed');
  await context.save({ ...progress, stage: 'accounts', from: null, pageMark: null });
};

const importAccounts = async (progress: ImportProgress, context: PageContext): Promise<void> => {
  const page = await context.call((access) => context.platform.accountPage(access, progress.from));
  const ids = page.accounts.map(({ accountId }) => accountId);
  const pageMark = markOf({ ids, next: page.next }, progress);
  await context.charts.record(context.name, page.accounts);
  const accountsImported = progress.accountsImported + page.accounts.length;
  await context.save(
    page.next === null
      ? {
          ...progress,
          stage: 'journals',
          from: progress.journalsFrom,
          pageMark: null,
          accountsImported,
        }
      : { ...progress, from: page.next, pageMark, accountsImported },
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

const importJournals = async (progress: ImportProgress, context: PageContext): Promise<void> => {
  const page = await context.call((access) => context.platform.journalPage(access, progress.from));
  const references = page.journals.map(({ reference }) => reference);
  const pageMark = markOf({ ids: references, next: page.next }, progress);
  const known = await context.journals.findKnown(context.name, references);
  const distinct = new Map(page.journals.map((journal) => [journal.reference, journal]));
  const listed = [...distinct.values()].filter(({ reference }) => !known.has(reference));
  const mayReread =
    progress.chartRereadAt !== (progress.from ?? '') && progress.chartsReread < mostChartsReread;
  const refused: RefusedJournal[] = [];
  for (let first = 0; first < listed.length; first += groupSize) {
    const group = await readGroup(listed.slice(first, first + groupSize), context);
    const result = await recordGroup(group.journals, { ...context, mayReread });
    if (result === undefined) return context.save(chartAgain(progress));
    refused.push(...result.refused);
    // The page is not done, but the run was not fruitless.
    if (result.recorded > 0) await context.save(progress);
    if (group.failure !== undefined) throw group.failure;
  }
  await context.save({
    ...progress,
    ...(page.next === null ? { stage: 'done' } : { from: page.next, pageMark }),
    // Those that were there count too: a run that died may have recorded them.
    journalsImported: progress.journalsImported + distinct.size - refused.length,
    journalsRefused: progress.journalsRefused + refused.length,
    refusals: [...progress.refusals, ...refused].slice(0, mostRefusalsKept),
  });
};

/** Back to the chart, which may have grown since it was read, and then to this page again. */
const chartAgain = (progress: ImportProgress): ImportProgress => ({
  ...progress,
  stage: 'accounts',
  from: null,
  pageMark: null,
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
