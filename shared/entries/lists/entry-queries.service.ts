// Reads single entries and lists of entries of the calling application's tenants.

import type { Account } from '../../accounts/accounts.ts';
import type { Charts } from '../../accounts/charts.store.ts';
import type { StuckWork } from '../../background/stuck-work.ts';
import { ApiError, type Problem, problem, tenantNotFound, throwIfProblems } from '../../errors.ts';
import { dateOf } from '../../money/dates.ts';
import type { TenantName } from '../../table/keys.ts';
import { startOfIndex } from '../../tenants/indexed-metadata.ts';
import type { Tenant } from '../../tenants/tenants.ts';
import { addressOf, requireEntry } from '../entry-by-name.service.ts';
import { assertBalanced } from '../entry-checks.ts';
import { contentOf } from '../entry-hash.ts';
import type { EntryLookups } from '../entry-lookups.store.ts';
import type { EntryName } from '../entry-names.ts';
import type { JournalEntry } from '../journal-entry.ts';
import type { DueDates } from '../schedule/due-dates.store.ts';
import type { ListPosition, ListRange, MarkerKind } from './entry-bounds.store.ts';
import type { EntryFilter } from './entry-filter.ts';
import type { EntryLists, ListedEntry } from './entry-lists.store.ts';

/** The parts of a filter that are checked against the tenant. */
type CheckedFilter = Pick<EntryFilter, 'account' | 'recordedFrom' | 'metadata'>;

/** The filters, the order and the limit of a list. */
type EntryQuery = ListRange & EntryFilter & { limit: number };

/** `stuck` says why a scheduled entry could not be posted on its date. */
type EntryWithStuck = { entry: JournalEntry; stuck: StuckWork | undefined };

/** The next page starts after `next`. It is `undefined` on the last page. */
type ListPage = { entries: JournalEntry[]; next: ListPosition | undefined };
type EntryPage = { entries: EntryWithStuck[]; next: ListPosition | undefined };

/**
 * A page ends before its entries exceed this size in the reply. A function's reply has at most 6 MB
 * (AWS Lambda Developer Guide, "Lambda quotas"), with the body as a JSON text inside JSON. The
 * largest possible entry, 1,500 lines of the longest texts, takes 3.3 MB.
 */
const maximumPageBytes = 4_000_000;

/** The size of an entry in a function's reply, as JSON inside JSON. */
const replyBytesOf = (entry: JournalEntry): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(contentOf(entry))));

/** Takes the matching entries from a list until the page is full. */
const pageFrom = async (
  listing: (missing: () => number) => AsyncIterable<ListedEntry>,
  { limit }: Pick<EntryQuery, 'limit'>,
): Promise<ListPage> => {
  const entries: JournalEntry[] = [];
  let next: ListPosition | undefined;
  let bytes = 0;
  const listed = listing(() => limit - entries.length);
  for await (const { position, entry, isLast } of listed) {
    if (entry) {
      assertBalanced(entry);
      bytes += replyBytesOf(entry);
      if (bytes > maximumPageBytes && entries.length > 0) break;
      entries.push(entry);
    }
    next = isLast ? undefined : position;
    if (entries.length === limit) break;
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
}: {
  charts: Pick<Charts, 'find'>;
  lookups: EntryLookups;
  lists: EntryLists;
  dueDates: Pick<DueDates, 'findStuck'>;
  clock: () => Date;
}) => {
  /** Makes no call unless an entry is scheduled for today or an earlier date. */
  const withStuck = async (
    name: TenantName,
    entries: readonly JournalEntry[],
  ): Promise<EntryWithStuck[]> => {
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

  /**
   * The account of a filter, after its checks.
   * @throws ApiError `tenant_not_found`, `validation_failed`
   */
  const findAccount = async (
    name: TenantName,
    filter: CheckedFilter,
  ): Promise<Account | undefined> => {
    const chart = await charts.find(name, filter.account);
    if (!chart.tenant) throw new ApiError('tenant_not_found');
    throwIfProblems(filterProblems(filter, { ...chart, tenant: chart.tenant }));
    return chart.account;
  };

  return {
    /** @throws ApiError `tenant_not_found`, `journal_entry_not_found` */
    get: async (tenant: TenantName, entryName: EntryName): Promise<EntryWithStuck> => {
      const entry = requireEntry(await lookups.find(tenant, addressOf(entryName)), entryName);
      const [entryWithStuck] = await withStuck(tenant, [entry]);
      return entryWithStuck ?? { entry, stuck: undefined };
    },

    /**
     * Lists a page of entries. A filter by account reads the account first, for its number.
     * @throws ApiError `tenant_not_found`, or `validation_failed` if the account does not exist
     */
    list: async (tenant: TenantName, query: EntryQuery): Promise<EntryPage> => {
      const { from, to, order, after, limit, ...filter } = query;
      const { account } = filter;
      const kind = namedKindOf(filter);
      const read = (accountNumber?: number) => {
        const part = { from, to, order, after, filter: { ...filter, accountNumber } };
        const listing = (missing: () => number) =>
          kind ? lists.named(kind, tenant, part, missing) : lists.filed(tenant, part, missing);
        return pageFrom(listing, { limit });
      };
      const found = findAccount(tenant, query);
      const [page] =
        account === undefined || kind
          ? await Promise.all([read(), found])
          : [await read((await found)?.number)];
      return { ...page, entries: await withStuck(tenant, page.entries) };
    },

    /** Finds more problems of a request that its schema has already refused. */
    problemsOf: async (
      tenant: TenantName | undefined,
      filter: CheckedFilter,
    ): Promise<Problem[]> => {
      if (tenant === undefined) return [];
      const chart = await charts.find(tenant, filter.account);
      if (!chart.tenant) return [tenantNotFound];
      return filterProblems(filter, { ...chart, tenant: chart.tenant });
    },
  };
};

/** The items that name the matching entries; `undefined` if none do. */
const namedKindOf = ({ status, change, metadata }: EntryFilter): MarkerKind | undefined => {
  if (change === 'posting') return 'posted';
  if (change === 'cancellation') return 'cancelled';
  return status === 'scheduled' || status === 'cancelled' ? status : metadata;
};

const filterProblems = (
  { account: code, recordedFrom = 0, metadata }: CheckedFilter,
  { account, tenant }: { account: Account | undefined; tenant: Tenant },
): Problem[] => {
  const problems: Problem[] = [];
  if (code !== undefined && !account) {
    problems.push(problem('account_not_found', '/account', { account: code }));
  }
  if (metadata === undefined) return problems;
  const params = { metadata_key: metadata.key };
  const index = tenant.indexedMetadata?.find(({ key }) => key === metadata.key);
  if (index === undefined) {
    return [...problems, problem('metadata_key_not_indexed', '/metadata_key', params)];
  }
  const start = startOfIndex(index, tenant);
  if (start === undefined || recordedFrom >= Date.parse(start)) return problems;
  const later = { ...params, indexed_from: start };
  return [...problems, problem('metadata_not_indexed_then', '/recorded_from', later)];
};
