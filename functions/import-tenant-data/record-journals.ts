// Reads the journals that a page lists and records them in groups, under the tenant's accounts. Of
// those that are recorded already it finds out whether they were changed, where that costs nothing.

import type { Accounts } from '#shared/accounts/accounts.store.ts';
import type { Assumption, RefusedRecord } from '#shared/imports/import-report.ts';
import type {
  ImportedJournals,
  JournalOrigin,
  JournalToRecord,
} from '#shared/imports/imported-journals.store.ts';
import { type JournalToImport, makeImportedJournal } from '#shared/imports/imported-journals.ts';
import type {
  CompanyAccess,
  ListedJournal,
  PlatformJournal,
  ReadJournal,
} from '#shared/platforms/platform.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { contentHashOf, isComparable } from './content-hash.ts';
import { findAccounts, type LineAccounts } from './line-accounts.ts';
import { type Findings, mergeFindings, noFindings } from './report.ts';

export type RecordingContext = {
  name: TenantName;
  tenantCurrency: string;
  /** Whether everything is listed, and not only what is new or changed. */
  isComplete: boolean;
  /**
   * Calls the platform, withRetry, with a good access token. The work asks for its time limit when
   * it begins. What is free calls nothing, so that it needs neither its turn nor time for a call.
   */
  call: <Result>(
    work: (access: CompanyAccess, timeLimit: () => number) => Promise<Result>,
    options?: { isFree?: boolean; repeatsTimeouts?: boolean },
  ) => Promise<Result>;
  accounts: Accounts;
  journals: ImportedJournals;
  clock: () => Date;
};

/** Journals are read, where that takes a call each, and recorded in groups of this many. */
const groupSize = 100;

const groupsOf = <Listed>(listed: readonly Listed[]): Listed[][] =>
  Array.from({ length: Math.ceil(listed.length / groupSize) }, (_, group) =>
    listed.slice(group * groupSize, (group + 1) * groupSize),
  );

type ReadReference = { reference: string; result: ReadJournal };

/** Reads a group; what was read before a call failed is handed on with the failure. */
const readGroup = async (
  listed: readonly ListedJournal[],
  { call }: RecordingContext,
): Promise<{ read: ReadReference[]; failure?: unknown }> => {
  const read: ReadReference[] = [];
  for (const { reference, isWhole, read: readOne } of listed) {
    try {
      const result = await call(
        (access, timeLimit) => readOne(access, { timeoutMilliseconds: timeLimit() }),
        { isFree: isWhole },
      );
      read.push({ reference, result });
    } catch (failure) {
      return { read, failure };
    }
  }
  return { read };
};

/** The journal with its accounts; `undefined` where the chart lacks one of them. */
const resolve = (
  journal: PlatformJournal,
  lineAccounts: LineAccounts,
  tenantCurrency: string,
): JournalToImport | undefined => {
  const lines = journal.lines.flatMap((line) => {
    const account = lineAccounts.find(line.account);
    return account ? [{ ...line, account }] : [];
  });
  return lines.length < journal.lines.length
    ? undefined
    : { ...journal, currency: journal.currency ?? tenantCurrency, lines };
};

const refusal = (reference: string, reason: string, field: string | null): RefusedRecord => ({
  ...{ kind: 'journal', reference, reason, field },
});

const originOf = (
  journal: PlatformJournal,
  { isTaxClearing }: LineAccounts,
  tenantCurrency: string,
): JournalOrigin => ({
  contentHash: contentHashOf(journal, tenantCurrency),
  ...(journal.lines.some(({ account }) => isTaxClearing(account)) && {
    assumption: 'tax_clearing_used',
  }),
});

const assumptionsOf = (journals: Iterable<readonly [string, JournalOrigin]>): Assumption[] =>
  [...journals].flatMap(([reference, { assumption }]) =>
    assumption ? [{ kind: 'journal', reference, assumption, field: null }] : [],
  );

/** What became of a group: how many can stand in the ledger, and how many of them are new in it. */
type Recorded = { accepted: number; recorded: number; findings: Findings };

const recordGroup = async (
  read: readonly ReadReference[],
  { mayRereadChart, ...context }: RecordingContext & { mayRereadChart: boolean },
): Promise<Recorded | 'account_not_found'> => {
  const { tenantCurrency, name, clock } = context;
  const posted = read.flatMap(({ result }) => (result.state === 'posted' ? [result.journal] : []));
  const lineAccounts = await findAccounts(posted, { ...context, mayRereadChart });
  const refused = read.flatMap(({ reference, result }) =>
    result.state === 'refused' ? [refusal(reference, result.reason, result.field)] : [],
  );
  const entries: JournalToRecord[] = [];
  for (const journal of posted) {
    const resolved = resolve(journal, lineAccounts, tenantCurrency);
    if (resolved === undefined && mayRereadChart) return 'account_not_found';
    const createdAt = clock().toISOString();
    const made: ReturnType<typeof makeImportedJournal> = resolved
      ? makeImportedJournal(resolved, { tenantCurrency, createdAt })
      : { rejected: 'account_not_found' };
    if ('rejected' in made) refused.push(refusal(journal.reference, made.rejected, null));
    else {
      const origin = originOf(journal, lineAccounts, tenantCurrency);
      entries.push({ journal: made.entry, origin });
    }
  }
  const { recorded, locked, lockDate } = await context.journals.record(name, entries);
  refused.push(...locked.map((reference) => refusal(reference, 'period_locked', null)));
  const isRefused = new Set(refused.map(({ reference }) => reference));
  const settled = read.map(({ reference }) => reference).filter((it) => !isRefused.has(it));
  const assumed = assumptionsOf(
    entries
      .map(({ journal, origin }) => [journal.platformReference, origin] as const)
      .filter(([reference]) => !isRefused.has(reference)),
  );
  const findings = { ...noFindings('journal'), settled, refused, assumed, lockDate };
  return { accepted: entries.length - locked.length, recorded, findings };
};

/** What became of a journal that was imported, if anything can be told. */
const compare = (
  { reference, result }: ReadReference,
  { contentHash }: JournalOrigin,
  tenantCurrency: string,
): Pick<Findings, 'unchanged' | 'changes'> => {
  const nothing = { unchanged: [], changes: [] };
  // It was posted when it was imported, and so is not among the platform's books any more.
  const isGone = result.state === 'voided' || result.state === 'not_posted';
  if (isGone) return { ...nothing, changes: [{ reference, change: 'voided' }] };
  if (contentHash === undefined || !isComparable(contentHash)) return nothing;
  const isSame =
    result.state === 'posted' && contentHashOf(result.journal, tenantCurrency) === contentHash;
  return isSame
    ? { ...nothing, unchanged: [reference] }
    : { ...nothing, changes: [{ reference, change: 'edited' }] };
};

/** Looks at journals that were imported before, and says what has become of them. */
const checkKnown = async (
  listed: readonly ListedJournal[],
  { known, ...context }: RecordingContext & { known: ReadonlyMap<string, JournalOrigin> },
): Promise<Findings> => {
  const { read, failure } = await readGroup(
    listed.filter(({ isWhole }) => isWhole || !context.isComplete),
    context,
  );
  if (failure !== undefined) throw failure;
  const compared = read.map((it) =>
    compare(it, known.get(it.reference) ?? {}, context.tenantCurrency),
  );
  return {
    ...noFindings('journal'),
    settled: [...known.keys()],
    assumedBefore: assumptionsOf(known),
    unchanged: compared.flatMap(({ unchanged }) => unchanged),
    changes: compared.flatMap(({ changes }) => changes),
  };
};

/**
 * Records the journals that a page lists and that are not there yet. `account_not_found` where one
 * names an account that the chart lacks and may have once it is read again.
 * @throws whatever a call failed with, after what was read before it is recorded
 */
export const recordJournals = async (
  listed: readonly ListedJournal[],
  {
    onProgress,
    ...context
  }: RecordingContext & {
    known: ReadonlyMap<string, JournalOrigin>;
    mayRereadChart: boolean;
    onProgress: () => Promise<void>;
  },
): Promise<{ added: number; findings: Findings } | 'account_not_found'> => {
  const isKnown = ({ reference }: ListedJournal): boolean => context.known.has(reference);
  const found: Findings[] = [];
  let added = 0;
  for (const group of groupsOf(listed.filter((it) => !isKnown(it)))) {
    const { read, failure } = await readGroup(group, context);
    const result = await recordGroup(read, context);
    if (result === 'account_not_found') return result;
    found.push(result.findings);
    added += result.accepted;
    if (result.recorded > 0) await onProgress();
    if (failure !== undefined) throw failure;
  }
  found.push(await checkKnown(listed.filter(isKnown), context));
  return { added, findings: mergeFindings('journal', found) };
};
