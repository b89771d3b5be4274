// Entries as requests name them, and lists of them, in a tenant of the calling application.

import type { Account } from '../domain/accounts.ts';
import { dateOf } from '../domain/dates.ts';
import { assertBalanced } from '../domain/entries/entry-checks.ts';
import { contentOf } from '../domain/entries/entry-content.ts';
import type { EntryName } from '../domain/entries/entry-names.ts';
import type { JournalEntry } from '../domain/entries/journal-entry.ts';
import type { StuckWork } from '../domain/stuck-work.ts';
import { ApiError, type Problem, problem, throwIfProblems } from '../errors.ts';
import type { Charts } from '../store/charts.ts';
import type { DueDates } from '../store/due-dates.ts';
import type { ListPosition, ListRange } from '../store/entry-bounds.ts';
import type { EntryLists, ListedEntry } from '../store/entry-lists.ts';
import type { EntryLookups } from '../store/entry-lookups.ts';
import type { TenantName } from '../store/keys.ts';
import { addressOf, requireEntry } from './entry-by-name.ts';
import { tenantNameFor } from './tenant-names.ts';

/** A tenant as a request names it; `undefined` where its name could not be read. */
type Target<Domain = string> = { applicationId: string; domainUrl: Domain };

/** Which entries of a tenant are asked for, and in which order. */
export type EntryQuery = ListRange & {
  status?: JournalEntry['status'] | undefined;
  entryType?: JournalEntry['entryType'] | undefined;
  /** The code of an account that a line of them is posted to. */
  account?: string | undefined;
  limit: number;
};

/** An entry, and how it is stuck if it is scheduled for a date that could not be posted. */
export type ShownEntry = { entry: JournalEntry; stuck: StuckWork | undefined };

/** `next` is the entry behind which the next page begins, if there may be one. */
type FoundPage = { entries: JournalEntry[]; next: ListPosition | undefined };
export type EntryPage = { entries: ShownEntry[]; next: ListPosition | undefined };

/**
 * A page ends before its entries, as a reply shows them, take more than this. A function's reply
 * may have 6 MB (AWS Lambda Developer Guide, "Lambda quotas"), in which the body is a JSON text
 * within JSON. The longest entry that is recorded, 1,500 lines of the longest texts, takes 3.3 MB.
 */
const maximumPageBytes = 4_000_000;

/** What an entry takes in a function's reply: its JSON within JSON. */
const replyBytesOf = (entry: JournalEntry): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(contentOf(entry))));

const isAsked =
  ({ status, entryType, account }: EntryQuery) =>
  (entry: JournalEntry): boolean =>
    (status === undefined || entry.status === status) &&
    (entryType === undefined || entry.entryType === entryType) &&
    (account === undefined || entry.lines.some((line) => line.account === account));

/** Takes a page from a list: the entries that are asked for, until it is full. */
const pageFrom = async (
  listing: (missing: () => number) => AsyncIterable<ListedEntry>,
  query: EntryQuery,
): Promise<FoundPage> => {
  const entries: JournalEntry[] = [];
  const isWanted = isAsked(query);
  let next: ListPosition | undefined;
  let bytes = 0;
  const listed = listing(() => query.limit - entries.length);
  for await (const { position, entry, isLast } of listed) {
    if (entry && isWanted(entry)) {
      assertBalanced(entry);
      bytes += replyBytesOf(entry);
      if (bytes > maximumPageBytes && entries.length > 0) break;
      entries.push(entry);
    }
    next = isLast ? undefined : position;
    if (entries.length === query.limit) break;
  }
  return { entries, next };
};

export type EntryQueries = ReturnType<typeof openEntryQueries>;

export const openEntryQueries = ({
  charts,
  lookups,
  lists,
  dueDates,
  clock,
  baseDomain,
}: {
  charts: Pick<Charts, 'find'>;
  lookups: EntryLookups;
  lists: EntryLists;
  dueDates: Pick<DueDates, 'findStuck'>;
  clock: () => Date;
  baseDomain: string;
}) => {
  const nameOf = ({ applicationId, domainUrl }: Target): TenantName | undefined =>
    tenantNameFor({ applicationId, domainUrl, baseDomain });

  /** Reads nothing more unless an entry is scheduled for a date that has come. */
  const withStuck = async (
    name: TenantName,
    entries: readonly JournalEntry[],
  ): Promise<ShownEntry[]> => {
    const today = dateOf(clock());
    const dates = entries.flatMap(({ status, postingDate }) =>
      status === 'scheduled' && postingDate <= today ? postingDate : [],
    );
    const stuck = await dueDates.findStuck(name, [...new Set(dates)]);
    return entries.map((entry) => ({
      entry,
      stuck: entry.status === 'scheduled' ? stuck.get(entry.postingDate) : undefined,
    }));
  };

  /** @throws ApiError where there is no such tenant, or where it has no such account */
  const assertAccountExists = async (
    name: TenantName,
    account: string | undefined,
  ): Promise<void> => {
    const found = await charts.find(name, account);
    if (!found.hasTenant) throw new ApiError('tenant_not_found');
    throwIfProblems(accountProblems(account, found));
  };

  return {
    /** @throws ApiError where there is no such tenant or no such entry */
    get: async (target: Target, named: EntryName): Promise<ShownEntry> => {
      const name = nameOf(target);
      if (!name) throw new ApiError('tenant_not_found');
      const entry = requireEntry(await lookups.find(name, addressOf(named)), named);
      const [shown] = await withStuck(name, [entry]);
      return shown ?? { entry, stuck: undefined };
    },

    /**
     * A page of entries. Without a filter by account, the tenant and the first of them are read at
     * once.
     * @throws ApiError where there is no such tenant, or where it has no such account
     */
    list: async (target: Target, query: EntryQuery): Promise<EntryPage> => {
      const name = nameOf(target);
      if (!name) throw new ApiError('tenant_not_found');
      const kind = query.status === 'scheduled' ? 'scheduled' : 'filed';
      const readPage = () => pageFrom((missing) => lists[kind](name, query, missing), query);
      const checking = assertAccountExists(name, query.account);
      // An account that is not there would be looked for in all that a call may read.
      if (query.account !== undefined) await checking;
      const [page] = await Promise.all([readPage(), checking]);
      return { ...page, entries: await withStuck(name, page.entries) };
    },

    /** What the table says of a request that is wrong already, beyond that. */
    problemsOf: async (
      { applicationId, domainUrl }: Target<string | undefined>,
      { account }: Pick<EntryQuery, 'account'> = {},
    ): Promise<Problem[]> => {
      if (domainUrl === undefined) return [];
      const name = nameOf({ applicationId, domainUrl });
      const found = name && (await charts.find(name, account));
      if (!found?.hasTenant) return [problem('tenant_not_found', '/domain_url')];
      return accountProblems(account, found);
    },
  };
};

const accountProblems = (
  code: string | undefined,
  { account }: { account: Account | undefined },
): Problem[] =>
  code === undefined || account
    ? []
    : [problem('account_not_found', '/account', { account: code })];
