// Reads the journals that a page lists and records them in groups, under the tenant's accounts.

import {
  type JournalToImport,
  makeImportedJournal,
} from '#shared/domain/entries/imported-journals.ts';
import type { RefusedRecord } from '#shared/domain/import-report.ts';
import type {
  CompanyAccess,
  ListedJournal,
  PlatformJournal,
  PlatformJournalLine,
} from '#shared/platforms/platform.ts';
import type { Accounts, PlatformAccountEntry } from '#shared/store/accounts.ts';
import type { ImportedJournals } from '#shared/store/imported-journals.ts';
import type { TenantName } from '#shared/store/keys.ts';

export type RecordingContext = {
  name: TenantName;
  tenantCurrency: string;
  /** Calls the platform, withRetry, with a good access token. */
  call: <Result>(work: (access: CompanyAccess) => Promise<Result>) => Promise<Result>;
  accounts: Accounts;
  journals: ImportedJournals;
  clock: () => Date;
  newEntryId: () => string;
};

/** Journals are read, where that takes a call each, and recorded in groups of this many. */
const groupSize = 100;

const groupsOf = <Listed>(listed: readonly Listed[]): Listed[][] =>
  Array.from({ length: Math.ceil(listed.length / groupSize) }, (_, group) =>
    listed.slice(group * groupSize, (group + 1) * groupSize),
  );

/** Reads a group; what was read before a call failed is handed on with the failure. */
const readGroup = async (
  listed: readonly ListedJournal[],
  { call }: RecordingContext,
): Promise<{ journals: PlatformJournal[]; failure?: unknown }> => {
  const journals: PlatformJournal[] = [];
  for (const { read } of listed) {
    try {
      const result = await call((access) => read(access, { timeoutMilliseconds: 60_000 }));
      if (result.state === 'posted') journals.push(result.journal);
    } catch (failure) {
      return { journals, failure };
    }
  }
  return { journals };
};

const idOf = ({ account }: PlatformJournalLine): string =>
  account !== 'tax' && 'id' in account ? account.id : '';

/** The accounts that the journals name by their ids, as far as the chart has them. */
const findAccounts = (
  journals: readonly PlatformJournal[],
  { accounts, name }: RecordingContext,
): Promise<ReadonlyMap<string, PlatformAccountEntry>> => {
  const ids = journals.flatMap(({ lines }) => lines.map(idOf));
  return accounts.findMany(name, [...new Set(ids)]);
};

/** The journal with its accounts; `undefined` where the chart lacks one of them. */
const resolve = (
  journal: PlatformJournal,
  accounts: ReadonlyMap<string, PlatformAccountEntry>,
  tenantCurrency: string,
): JournalToImport | undefined => {
  const lines = journal.lines.flatMap((line) => {
    const account = accounts.get(idOf(line));
    return account ? [{ ...line, account }] : [];
  });
  return lines.length < journal.lines.length
    ? undefined
    : { ...journal, currency: journal.currency ?? tenantCurrency, lines };
};

type Made = ReturnType<typeof makeImportedJournal>;

const recordGroup = async (
  journals: readonly PlatformJournal[],
  { mayRereadChart, ...context }: RecordingContext & { mayRereadChart: boolean },
): Promise<{ recorded: number; refused: RefusedRecord[] } | 'account_not_found'> => {
  const { tenantCurrency, name, clock, newEntryId } = context;
  const accounts = await findAccounts(journals, context);
  const refused: RefusedRecord[] = [];
  const entries = [];
  for (const journal of journals) {
    const resolved = resolve(journal, accounts, tenantCurrency);
    if (resolved === undefined && mayRereadChart) return 'account_not_found';
    const createdAt = clock().toISOString();
    const made: Made = resolved
      ? makeImportedJournal(resolved, { tenantCurrency, entryId: newEntryId(), createdAt })
      : { rejected: 'account_not_found' };
    if ('entry' in made) entries.push(made.entry);
    else {
      const { reference } = journal;
      refused.push({ kind: 'journal', reference, reason: made.rejected, field: null });
    }
  }
  return { recorded: await context.journals.record(name, entries), refused };
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
  }: RecordingContext & { mayRereadChart: boolean; onProgress: () => Promise<void> },
): Promise<{ accepted: number; refused: RefusedRecord[] } | 'account_not_found'> => {
  const refused: RefusedRecord[] = [];
  let accepted = 0;
  for (const group of groupsOf(listed)) {
    const { journals, failure } = await readGroup(group, context);
    const result = await recordGroup(journals, context);
    if (result === 'account_not_found') return result;
    refused.push(...result.refused);
    accepted += journals.length - result.refused.length;
    if (result.recorded > 0) await onProgress();
    if (failure !== undefined) throw failure;
  }
  return { accepted, refused };
};
