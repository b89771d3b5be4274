// Reads the new journals of a page and records them in groups, posted to the tenant's accounts.
// Checks the journals that were imported before for changes.

import type { PlatformAccountEntry } from '#shared/accounts/account-batch.store.ts';
import type { Accounts } from '#shared/accounts/accounts.store.ts';
import type { Assumption, ChangedJournal, RefusedRecord } from '#shared/imports/import-report.ts';
import {
  type ImportedJournals,
  type JournalOrigin,
  type JournalToRecord,
  voidedContent,
} from '#shared/imports/imported-journals.store.ts';
import { type JournalToImport, makeImportedJournal } from '#shared/imports/imported-journals.ts';
import { type Findings, mergeFindings, noFindings } from '#shared/imports/page-findings.ts';
import {
  type AccountReference,
  type CompanyAccess,
  isTaxAccount,
  type ListedJournal,
  type PlatformJournal,
  type ReadJournal,
} from '#shared/platforms/platform.ts';
import { batchesOf } from '#shared/table/batches.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { contentHashOf, isComparable } from './content-hash.ts';

export type RecordingContext = {
  name: TenantName;
  tenantCurrency: string;
  /** Whether the import reads all records, not only new and changed ones. */
  isComplete: boolean;
  /**
   * Calls the platform with a valid access token and `withRetry`. The work reads its time limit
   * when it starts. Free work makes no call, so it needs neither a pause nor time for a call.
   */
  call: <Result>(
    work: (access: CompanyAccess, timeLimit: () => number) => Promise<Result>,
    options?: { isFree?: boolean; repeatsTimeouts?: boolean },
  ) => Promise<Result>;
  accounts: Accounts;
  journals: ImportedJournals;
  clock: () => Date;
};

type LineAccounts = {
  /** A line's account; `undefined` if it is not in the chart. */
  find: (account: AccountReference) => PlatformAccountEntry | undefined;
  /** Whether the line is posted to our tax clearing account. */
  isTaxClearing: (account: AccountReference) => boolean;
};

/**
 * Looks up all accounts of these journals together. Tax is posted to our tax clearing account if
 * the platform names no account or one that is not in the chart.
 * @param options.mayRereadChart whether the chart can be read again to find the account
 */
const findAccounts = async (
  journals: readonly PlatformJournal[],
  options: { accounts: Accounts; name: TenantName; mayRereadChart: boolean },
): Promise<LineAccounts> => {
  const { accounts, name, mayRereadChart } = options;
  const references = journals.flatMap(({ lines }) => lines.map(({ account }) => account));
  const ids = new Set<string>();
  const codes = new Set<string>();
  for (const reference of references) {
    if (reference === 'tax') continue;
    if ('id' in reference) ids.add(reference.id);
    else codes.add(reference.code);
  }
  const [byId, byCode] = await Promise.all([
    accounts.findMany(name, [...ids]),
    accounts.findManyByCode(name, [...codes]),
  ]);
  const isTaxClearing = (reference: AccountReference): boolean => {
    if (reference === 'tax') return true;
    const isKnown = 'id' in reference && byId.has(reference.id);
    return isTaxAccount(reference) && !isKnown && !mayRereadChart;
  };
  const taxClearing = references.some(isTaxClearing) ? await accounts.taxClearing(name) : undefined;
  return {
    isTaxClearing,
    find: (reference) => {
      if (reference === 'tax' || isTaxClearing(reference)) return taxClearing;
      return 'id' in reference ? byId.get(reference.id) : byCode.get(reference.code);
    },
  };
};

/** The number of journals that are read and recorded together. */
const maximumGroupJournals = 100;

type ReadReference = { reference: string; result: ReadJournal };

/** Reads a group. If a call fails, returns the failure with the journals read before it. */
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

/** The journal with its accounts; `undefined` if one is not in the chart. */
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
  kind: 'journal',
  reference,
  reason,
  field,
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

/** The journals as entries with their origins, and the refusals of those that cannot be one. */
const entriesOf = (
  journals: readonly PlatformJournal[],
  {
    lineAccounts,
    mayRereadChart,
    ...context
  }: RecordingContext & { lineAccounts: LineAccounts; mayRereadChart: boolean },
): { entries: JournalToRecord[]; refused: RefusedRecord[] } | 'account_not_found' => {
  const { tenantCurrency, clock } = context;
  const refused: RefusedRecord[] = [];
  const entries: JournalToRecord[] = [];
  for (const journal of journals) {
    const resolved = resolve(journal, lineAccounts, tenantCurrency);
    if (resolved === undefined && mayRereadChart) return 'account_not_found';
    const createdAt = clock().toISOString();
    const result: ReturnType<typeof makeImportedJournal> = resolved
      ? makeImportedJournal(resolved, { tenantCurrency, createdAt })
      : { rejected: 'account_not_found' };
    if ('rejected' in result) refused.push(refusal(journal.reference, result.rejected, null));
    else {
      const origin = originOf(journal, lineAccounts, tenantCurrency);
      entries.push({ journal: result.entry, origin });
    }
  }
  return { entries, refused };
};

/** The result of a group: the numbers of accepted and of new journals, and the findings. */
type GroupResult = { accepted: number; recorded: number; findings: Findings };

const recordGroup = async (
  read: readonly ReadReference[],
  { mayRereadChart, ...context }: RecordingContext & { mayRereadChart: boolean },
): Promise<GroupResult | 'account_not_found'> => {
  const { name } = context;
  const posted = read.flatMap(({ result }) => (result.state === 'posted' ? [result.journal] : []));
  const lineAccounts = await findAccounts(posted, { ...context, mayRereadChart });
  const made = entriesOf(posted, { ...context, lineAccounts, mayRereadChart });
  if (made === 'account_not_found') return made;
  const { entries } = made;
  const refused = [
    ...read.flatMap(({ reference, result }) =>
      result.state === 'refused' ? [refusal(reference, result.reason, result.field)] : [],
    ),
    ...made.refused,
  ];
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

/** Whether an imported journal has changed on the platform, if this is known. */
const compare = (
  { reference, result }: ReadReference,
  { contentHash }: JournalOrigin,
  tenantCurrency: string,
): Pick<Findings, 'unchanged' | 'changes'> => {
  const nothing = { unchanged: [], changes: [] };
  const wasVoided = contentHash === voidedContent;
  // Only posted journals are imported, so the platform has removed it from its books since then.
  const isGone = result.state === 'voided' || result.state === 'not_posted';
  if (isGone && wasVoided) return { ...nothing, unchanged: [reference] };
  if (isGone) return { ...nothing, changes: [{ reference, change: 'voided' }] };
  if (contentHash === undefined || !(isComparable(contentHash) || wasVoided)) return nothing;
  const isSame =
    result.state === 'posted' && contentHashOf(result.journal, tenantCurrency) === contentHash;
  return isSame
    ? { ...nothing, unchanged: [reference] }
    : { ...nothing, changes: [{ reference, change: 'edited' }] };
};

/** Follows changes of imported journals at the platform. Those that were followed are settled. */
const followChanges = async (
  changed: readonly (ReadReference & { change: ChangedJournal })[],
  context: RecordingContext & { mayRereadChart: boolean },
): Promise<{ findings: Findings; replacedDates: string[] } | 'account_not_found'> => {
  const { name, journals, clock } = context;
  const posted = changed.flatMap(({ result }) =>
    result.state === 'posted' ? [result.journal] : [],
  );
  const lineAccounts = await findAccounts(posted, context);
  const made = entriesOf(posted, { ...context, lineAccounts });
  if (made === 'account_not_found') return made;
  const refused = [...made.refused];
  const nextOf = new Map(made.entries.map((it) => [it.journal.platformReference, it]));
  const followed: string[] = [];
  const replacedDates: string[] = [];
  let lockDate: string | null = null;
  for (const { reference, result } of changed) {
    const next = nextOf.get(reference) ?? null;
    if (result.state === 'refused' || (result.state === 'posted' && next === null)) continue;
    const createdAt = clock().toISOString();
    const revision = await journals.revise(name, { reference, next, createdAt });
    if (revision.outcome === 'followed') {
      followed.push(reference);
      if (revision.replacedDate !== undefined) replacedDates.push(revision.replacedDate);
    }
    if (revision.outcome === 'period_locked') {
      refused.push(refusal(reference, 'period_locked', null));
      lockDate = revision.lockDate;
    }
  }
  const changes = changed
    .map(({ change }) => change)
    .filter(({ reference }) => !followed.includes(reference));
  const findings = { ...noFindings('journal'), unchanged: followed, changes, refused, lockDate };
  return { findings, replacedDates };
};

/** Checks journals that were imported before for changes, and follows these. */
const checkKnown = async (
  listed: readonly ListedJournal[],
  {
    known,
    ...context
  }: RecordingContext & { known: ReadonlyMap<string, JournalOrigin>; mayRereadChart: boolean },
): Promise<{ findings: Findings; replacedDates: string[] } | 'account_not_found'> => {
  const { read, failure } = await readGroup(
    listed.filter(({ isWhole }) => isWhole || !context.isComplete),
    context,
  );
  if (failure !== undefined) throw failure;
  const compared = read.map((it) => ({
    ...it,
    ...compare(it, known.get(it.reference) ?? {}, context.tenantCurrency),
  }));
  const changed = compared.flatMap(({ reference, result, changes: [change] }) =>
    change === undefined ? [] : [{ reference, result, change }],
  );
  const followed = await followChanges(changed, context);
  if (followed === 'account_not_found') return followed;
  const refused = new Set(followed.findings.refused.map(({ reference }) => reference));
  const unchanged = {
    ...noFindings('journal'),
    settled: [...known.keys()].filter((reference) => !refused.has(reference)),
    assumedBefore: assumptionsOf(known),
    unchanged: compared.flatMap((it) => it.unchanged),
  };
  // A run that died after it had followed a change reads the journal again.
  const before = [...known.values()].flatMap(({ replacedDate }) => replacedDate ?? []);
  return {
    findings: mergeFindings('journal', [unchanged, followed.findings]),
    replacedDates: [...before, ...followed.replacedDates],
  };
};

/**
 * Records the new journals of a page. Returns `account_not_found` if a journal refers to an account
 * that is not in the chart and the chart can be read again.
 * @throws the failure of a call, after recording the journals read before it
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
): Promise<
  { added: number; findings: Findings; replacedDates: string[] } | 'account_not_found'
> => {
  const isKnown = ({ reference }: ListedJournal): boolean => context.known.has(reference);
  const findings: Findings[] = [];
  let added = 0;
  for (const group of batchesOf(
    listed.filter((it) => !isKnown(it)),
    maximumGroupJournals,
  )) {
    const { read, failure } = await readGroup(group, context);
    const result = await recordGroup(read, context);
    if (result === 'account_not_found') return result;
    findings.push(result.findings);
    added += result.accepted;
    if (result.recorded > 0) await onProgress();
    if (failure !== undefined) throw failure;
  }
  const checked = await checkKnown(listed.filter(isKnown), context);
  if (checked === 'account_not_found') return checked;
  findings.push(checked.findings);
  const { replacedDates } = checked;
  return { added, findings: mergeFindings('journal', findings), replacedDates };
};
