// The lists of QuickBooks Online: page by page, or the changes since a time.

import * as z from 'zod/mini';
import { type CompanyAccess, isFailure, type PageRequest, PlatformFailure } from '../platform.ts';
import { Records } from '../records.ts';
import { RemovedEntity } from './quickbooks-entities.ts';

/**
 * The possible page sizes. A query returns at most 1000 rows. A thousand journals take 1, 2, 10 or
 * 50 calls. 1000 journals with many lines have timed out, and 100 have not
 * (github.com/mcohen01/node-quickbooks, issue 89).
 */
export const pageSizes = [1000, 500, 100, 20] as const;

/** A request can take "120 seconds" (developer.intuit.com, limits and throttles). */
export const pageTimeoutMilliseconds = 120_000;

/**
 * A list of changes covers "the last 30 days" and "a maximum of 1,000 objects". It does not tell
 * whether more exist (developer.intuit.com/app/developer/qbo/docs/learn/explore-the-
 * quickbooks-online-api/change-data-capture). We use one day less, because a run takes time.
 */
export const maximumChangesDays = 29;
const maximumChanges = 1000;

type Entity = 'Account' | 'JournalEntry';

/** By default Intuit omits inactive accounts, but old entries may use them. */
const whereByEntity = { Account: ' where Active in (true,false)', JournalEntry: '' } as const;

const List = z.optional(Records);
const Lists = z.object({ Account: List, JournalEntry: List });

/** A page of a query. An empty page is `{}` without a position. */
const PageReply = z.object({
  QueryResponse: z.extend(Lists, { startPosition: z.optional(z.int()) }),
});

/** A list of changes, with one QueryResponse per requested entity. */
const ChangesReply = z.object({
  CDCResponse: z.array(z.object({ QueryResponse: z.array(Lists) })),
});

/** A resource of a company. */
export type QuickBooksResource<Schema> = {
  path: string;
  query?: Record<string, string>;
  schema: Schema;
  timeoutMilliseconds?: number | undefined;
};

type Read = <Schema extends z.ZodMiniType>(
  access: CompanyAccess,
  resource: QuickBooksResource<Schema>,
) => Promise<z.output<Schema>>;

/**
 * `first` is the position of the first record in the list. `removed` lists ids of deleted records.
 */
type Page = { records: unknown[]; removed: string[]; first: number; next: string | null };

export const openPages = (read: Read) => {
  const readRows = async (
    access: CompanyAccess,
    entity: Entity,
    { cursor, rows, timeoutMilliseconds }: PageRequest,
  ) => {
    const first = Number(cursor ?? 0) + 1;
    const query =
      `select * from ${entity}${whereByEntity[entity]} ` +
      `orderby Id startposition ${first} maxresults ${rows}`;
    const { QueryResponse: page } = await read(access, {
      path: '/query',
      query: { query },
      schema: PageReply,
      timeoutMilliseconds,
    });
    const records = page[entity] ?? [];
    if (records.length > 0 && page.startPosition !== first) {
      throw new PlatformFailure('page_did_not_advance');
    }
    // A shorter page is the last one. A full page may be followed by an empty page.
    const next = records.length < rows ? null : String(first - 1 + records.length);
    return { records, first, next };
  };

  /** Requests one entity at a time, because a list of changes has no pages. */
  const readChanges = async (
    access: CompanyAccess,
    entity: Entity,
    { since, timeoutMilliseconds }: { since: Date; timeoutMilliseconds: number },
  ) => {
    const { CDCResponse } = await read(access, {
      path: '/cdc',
      query: { entities: entity, changedSince: since.toISOString() },
      schema: ChangesReply,
      timeoutMilliseconds,
    }).catch((error: unknown): never => {
      // A smaller page is not possible here.
      if (!isFailure(error, 'reply_too_large')) throw error;
      throw new PlatformFailure('changes_incomplete', { cause: error });
    });
    const lists = CDCResponse.flatMap(({ QueryResponse }) => QueryResponse);
    const records = lists.flatMap((list) => list[entity] ?? []);
    if (records.length >= maximumChanges) throw new PlatformFailure('changes_incomplete');
    return { records, first: 1, next: null };
  };

  const readPage = async (
    access: CompanyAccess,
    entity: Entity,
    request: PageRequest,
  ): Promise<Page> => {
    const { modifiedSince: since, timeoutMilliseconds } = request;
    const { records, ...page } = await (since
      ? readChanges(access, entity, { since, timeoutMilliseconds })
      : readRows(access, entity, request));
    const isRemoved = (record: unknown) => RemovedEntity.safeParse(record).success;
    return {
      ...page,
      records: records.filter((record) => !isRemoved(record)),
      removed: records.flatMap((record) => RemovedEntity.safeParse(record).data?.Id ?? []),
    };
  };

  /** The record with an id, which has digits only, if it is not deleted. */
  const readRow = async (
    access: CompanyAccess,
    entity: Entity,
    { id, timeoutMilliseconds }: { id: string; timeoutMilliseconds: number },
  ): Promise<unknown[]> => {
    const { QueryResponse } = await read(access, {
      path: '/query',
      query: { query: `select * from ${entity} where Id = '${id}'` },
      schema: PageReply,
      timeoutMilliseconds,
    });
    return QueryResponse[entity] ?? [];
  };

  return { readPage, readRow };
};
