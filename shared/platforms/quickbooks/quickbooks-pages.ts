// The lists of QuickBooks Online, page by page, or of what has changed since a moment.

import * as z from 'zod/mini';
import { type CompanyAccess, type PageRequest, PlatformFailure } from '../platform.ts';
import { RemovedEntity } from './quickbooks-entities.ts';

/**
 * One query may ask for 1000 rows at the most, so that a thousand journals take 1 call, and then 2,
 * 10 and 50; 1000 journals of many lines have timed out where 100 did not
 * (github.com/mcohen01/node-quickbooks, issue 89).
 */
export const pageSizes = [1000, 500, 100, 20] as const;

/** "120 seconds" is how long a request may take (developer.intuit.com, limits and throttles). */
export const pageTimeoutMilliseconds = 120_000;

/**
 * Changes "within the last 30 days", and "a maximum of 1,000 objects" of them, without a word of
 * those that are left out (developer.intuit.com/app/developer/qbo/docs/learn/explore-the-
 * quickbooks-online-api/change-data-capture). A day less is asked for: a run takes its time.
 */
export const maximumChangesDays = 29;
const maximumChanges = 1000;

type Entity = 'Account' | 'JournalEntry';

/** Without this Intuit leaves out accounts that are not active, which older entries may name. */
const whereByEntity = { Account: ' where Active in (true,false)', JournalEntry: '' } as const;

/** Records are read one by one. */
const Records = z.optional(z.array(z.unknown()));
const Lists = z.object({ Account: Records, JournalEntry: Records });

/** A page of a query. One without entities is `{}`, and says nothing of its position. */
const PageReply = z.object({
  QueryResponse: z.extend(Lists, { startPosition: z.optional(z.int()) }),
});

/** A list of changes: one QueryResponse for each of the entities asked for. */
const ChangesReply = z.object({
  CDCResponse: z.array(z.object({ QueryResponse: z.array(Lists) })),
});

/** Reads something of a company. */
type Read = <Schema extends z.ZodMiniType>(
  access: CompanyAccess,
  asked: {
    path: string;
    query?: Record<string, string>;
    schema: Schema;
    timeoutMilliseconds?: number;
  },
) => Promise<z.output<Schema>>;

/**
 * A page's records, of which the first one is at this place of the list, counted from 1, with the
 * ids of those that are not there any more, and how many come before the next page, if one follows.
 */
type Page = { records: unknown[]; removed: string[]; first: number; next: string | null };

export const openPages = (read: Read) => {
  const readRows = async (access: CompanyAccess, entity: Entity, asked: PageRequest) => {
    const { cursor, rows, timeoutMilliseconds } = asked;
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
    // Only a full page can have another behind it, which may turn out to be empty.
    const next = records.length < rows ? null : String(first - 1 + records.length);
    return { records, first, next };
  };

  /** All changes since a moment come as one list, so each entity is asked for by itself. */
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
      // Fewer rows cannot be asked for.
      const isTooLarge = error instanceof PlatformFailure && error.reason === 'reply_too_large';
      throw isTooLarge ? new PlatformFailure('changes_incomplete', { cause: error }) : error;
    });
    const lists = CDCResponse.flatMap(({ QueryResponse }) => QueryResponse);
    const records = lists.flatMap((list) => list[entity] ?? []);
    if (records.length >= maximumChanges) throw new PlatformFailure('changes_incomplete');
    return { records, first: 1, next: null };
  };

  return async (access: CompanyAccess, entity: Entity, asked: PageRequest): Promise<Page> => {
    const { modifiedSince: since, timeoutMilliseconds } = asked;
    const { records, ...page } = await (since
      ? readChanges(access, entity, { since, timeoutMilliseconds })
      : readRows(access, entity, asked));
    const isRemoved = (record: unknown) => RemovedEntity.safeParse(record).success;
    return {
      ...page,
      records: records.filter((record) => !isRemoved(record)),
      removed: records.flatMap((record) => RemovedEntity.safeParse(record).data?.Id ?? []),
    };
  };
};
