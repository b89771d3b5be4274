// Where Xero's list of manual journals goes on after a page.

import * as z from 'zod/mini';
import { type JournalPage, PlatformFailure } from '../platform.ts';

/**
 * How many journals a page may have. `pageSize` is in Xero's specification, without a largest
 * value; 1000 is what others know of (cdn.cdata.com/help/DXM/py/RSBXero_p_Pagesize.htm).
 * A thousand journals take 1 call at the first size, then 2, 4, 8 and 40, of the 1,000 to 5,000
 * calls that an organisation has a day (developer.xero.com/documentation/guides/oauth2/limits).
 */
export const journalPageSizes = [1000, 500, 250, 125, 25] as const;

/** What a page has where nobody asks for a size, and where Xero should not know `pageSize`. */
const defaultPageSize = 100;

/**
 * "Optimised for ordering" are this, Date and UpdatedDateUTC, the default
 * (developer.xero.com/documentation/api/accounting/manualjournals). Pages are counted anew with
 * every call, so a journal that moves towards the end while pages are read would draw another
 * across the border to a page that has been read. An id never changes, and a new journal only
 * pushes others on, where they are met again. For the same reason drafts and voided journals are
 * not filtered out by Xero: one that is voided would leave the list.
 */
const order = 'ManualJournalID ASC';

/**
 * A place in the list: how many journals come before it.
 *
 * `isOrdered` is false where the list is read in Xero's own order. Xero has been seen to answer
 * every page with all journals where an order is asked for (github.com/singer-io/tap-xero, pull
 * request 104), so a page longer than was asked for ends that: the list is read anew without.
 *
 * `limit` is how many journals Xero's pages have where it does not keep to the size asked for.
 */
type Position = { offset: number; isOrdered: boolean; limit: number | null };

const unordered: Position = { offset: 0, isOrdered: false, limit: null };

/** Written as in `1000`, `unordered:1000`, and `unordered:1000/100` with a limit of 100. */
const cursorOf = ({ offset, isOrdered, limit }: Position): string =>
  `${isOrdered ? '' : 'unordered:'}${offset}${limit === null ? '' : `/${limit}`}`;

const positionOf = (cursor: string | null): Position => {
  const [, kind, offset, limit] =
    /^(unordered:)?(\d{1,9})(?:\/([1-9]\d{0,8}))?$/.exec(cursor ?? '0') ?? [];
  if (offset === undefined) throw new PlatformFailure('page_did_not_advance');
  const isOrdered = kind === undefined;
  return { offset: Number(offset), isOrdered, limit: limit ? Number(limit) : null };
};

/** Xero's documentation shows pages without `pagination`, its specification pages with it. */
export const Pagination = z.object({
  page: z.int(),
  pageCount: z.int(),
  pageSize: z.nullish(z.int().check(z.positive())),
  itemCount: z.nullish(z.int()),
});

type Listed = { listed: number; pagination: z.output<typeof Pagination> | null | undefined };

/** How many journals Xero's pages seem to have, where this one is another than was asked for. */
const servedSize = ({ listed, pagination }: Listed, size: number): number => {
  if (listed >= size) return listed;
  return pagination ? (pagination.pageSize ?? size) : listed === defaultPageSize ? listed : size;
};

/** The page at a cursor, of so many rows, and what follows it. */
export const pageAt = (cursor: string | null, rows: number) => {
  const position = positionOf(cursor);
  const size = position.limit ?? rows;
  const page = Math.floor(position.offset / size) + 1;
  const start = (page - 1) * size;

  const isLast = (reply: Listed): boolean =>
    reply.pagination ? page >= reply.pagination.pageCount : reply.listed < servedSize(reply, size);

  /**
   * Whether the page has more than was asked for, or, where nothing tells it from one with all
   * journals, as many.
   */
  const mayBeAll = ({ listed, pagination }: Listed): boolean =>
    position.isOrdered && (pagination ? listed > size : !isLast({ listed, pagination }));

  const isWholeList = ({ listed, pagination }: Listed): boolean =>
    listed >= (pagination?.itemCount ?? Number.POSITIVE_INFINITY);

  /** @throws PlatformFailure where the list does not advance */
  const nextAfter = (reply: Listed): string | null => {
    const { listed, pagination } = reply;
    if (mayBeAll(reply)) return isWholeList(reply) ? null : cursorOf(unordered);
    if (pagination && pagination.page !== page) throw new PlatformFailure('page_did_not_advance');
    if (isLast(reply)) return null;
    if (listed === 0) throw new PlatformFailure('page_did_not_advance');
    const served = servedSize(reply, size);
    if (served === size) return cursorOf({ ...position, offset: start + size });
    if (position.limit !== null) throw new PlatformFailure('page_did_not_advance');
    // The first page began where it was meant to, whatever its size; of others nobody knows.
    return cursorOf({ ...position, limit: served, offset: start === 0 ? served : 0 });
  };

  return {
    first: start + 1,
    pagesShift: !position.isOrdered,
    query: {
      page: String(page),
      pageSize: String(size),
      ...(position.isOrdered && { order }),
    } as Record<string, string>,
    nextAfter,

    /**
     * What stands for a page that did not come, since it was too large or took too long: where
     * Xero answers with all journals, smaller pages would not help, but doing without order does.
     * @param asked.isCutShort whether it had less time than Xero may take
     */
    insteadAfter: (failure: unknown, { isCutShort }: { isCutShort: boolean }): JournalPage => {
      const reason = failure instanceof PlatformFailure ? failure.reason : undefined;
      const isSmaller = rows < journalPageSizes[0];
      const isSuspect =
        reason === 'reply_too_large' ||
        (reason === 'platform_timed_out' && isSmaller && !isCutShort);
      if (!position.isOrdered || !isSuspect) throw failure;
      return { journals: [], refused: [], next: cursorOf(unordered), pagesShift: true };
    },
  };
};
