// Groups of a page's journals: reads them from the platform, and makes entries of them that are
// posted to the tenant's accounts.

import type { PlatformAccountEntry } from '#shared/accounts/account-batch.store.ts';
import type { Accounts } from '#shared/accounts/accounts.store.ts';
import type { Assumption, RefusedRecord } from '#shared/imports/import-report.ts';
import type { ImportedJournals } from '#shared/imports/imported-journals.store.ts';
import { type JournalToImport, makeImportedJournal } from '#shared/imports/imported-journals.ts';
import type { JournalOrigin, JournalToRecord } from '#shared/imports/journal-guards.ts';
import {
  type AccountReference,
  type CompanyAccess,
  isTaxAccount,
  type ListedJournal,
  type PlatformJournal,
  type ReadJournal,
} from '#shared/platforms/platform.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { contentHashOf } from './content-hash.ts';

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
export const maximumGroupJournals = 100;

export type ReadReference = { reference: string; result: ReadJournal };

/** Reads a group. If a call fails, returns the failure with the journals read before it. */
export const readGroup = async (
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

export const refusal = (
  reference: string,
  reason: string,
  field: string | null,
): RefusedRecord => ({
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

export const assumptionsOf = (journals: Iterable<readonly [string, JournalOrigin]>): Assumption[] =>
  [...journals].flatMap(([reference, { assumption }]) =>
    assumption ? [{ kind: 'journal', reference, assumption, field: null }] : [],
  );

/**
 * The journals as entries with their origins, and the refusals of those that cannot be one. Returns
 * `account_not_found` if a journal refers to an account that is not in the chart and the chart can
 * be read again.
 */
export const entriesOf = async (
  journals: readonly PlatformJournal[],
  { mayRereadChart, ...context }: RecordingContext & { mayRereadChart: boolean },
): Promise<{ entries: JournalToRecord[]; refused: RefusedRecord[] } | 'account_not_found'> => {
  const { tenantCurrency, clock } = context;
  const lineAccounts = await findAccounts(journals, { ...context, mayRereadChart });
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

/** The posted journals of a group, and the refusals of those that cannot be read. */
export const postedIn = (
  read: readonly ReadReference[],
): { posted: PlatformJournal[]; refused: RefusedRecord[] } => ({
  posted: read.flatMap(({ result }) => (result.state === 'posted' ? [result.journal] : [])),
  refused: read.flatMap(({ reference, result }) =>
    result.state === 'refused' ? [refusal(reference, result.reason, result.field)] : [],
  ),
});
