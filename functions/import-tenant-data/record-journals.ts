// Reads the new journals of a page and records them in groups, posted to the tenant's accounts.
// Checks the journals that were imported before for changes.

import type { PlatformAccountEntry } from '#shared/accounts/account-batch.store.ts';
import type { Accounts } from '#shared/accounts/accounts.store.ts';
import type { Assumption, RefusedRecord } from '#shared/imports/import-report.ts';
import type {
  ImportedJournals,
  JournalOrigin,
  JournalToRecord,
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

/** The result of a group: the numbers of accepted and of new journals, and the findings. */
type GroupResult = { accepted: number; recorded: number; findings: Findings };

const recordGroup = async (
  read: readonly ReadReference[],
  { mayRereadChart, ...context }: RecordingContext & { mayRereadChart: boolean },
): Promise<GroupResult | 'account_not_found'> => {
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
    const result: ReturnType<typeof makeImportedJournal> = resolved
      ? makeImportedJournal(resolved, { tenantCurrency, createdAt })
      : { rejected: 'account_not_found' };
    if ('rejected' in result) refused.push(refusal(journal.reference, result.rejected, null));
    else {
      const origin = originOf(journal, lineAccounts, tenantCurrency);
      entries.push({ journal: result.entry, origin });
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

/** Whether an imported journal has changed on the platform, if this is known. */
const compare = (
  { reference, result }: ReadReference,
  { contentHash }: JournalOrigin,
  tenantCurrency: string,
): Pick<Findings, 'unchanged' | 'changes'> => {
  const nothing = { unchanged: [], changes: [] };
  // Only posted journals are imported, so the platform has removed it from its books since then.
  const isGone = result.state === 'voided' || result.state === 'not_posted';
  if (isGone) return { ...nothing, changes: [{ reference, change: 'voided' }] };
  if (contentHash === undefined || !isComparable(contentHash)) return nothing;
  const isSame =
    result.state === 'posted' && contentHashOf(result.journal, tenantCurrency) === contentHash;
  return isSame
    ? { ...nothing, unchanged: [reference] }
    : { ...nothing, changes: [{ reference, change: 'edited' }] };
};

/** Checks journals that were imported before for changes. */
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
): Promise<{ added: number; findings: Findings } | 'account_not_found'> => {
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
  findings.push(await checkKnown(listed.filter(isKnown), context));
  return { added, findings: mergeFindings('journal', findings) };
};
