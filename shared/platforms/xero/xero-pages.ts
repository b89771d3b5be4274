// The pages of Xero's list of manual journals.

import * as z from 'zod/mini';
import { isFailure, type JournalPage, PlatformFailure } from '../platform.ts';

/**
 * The possible page sizes. Xero's specification has `pageSize` without a maximum, and other clients
 * use up to 1000 (cdn.cdata.com/help/DXM/py/RSBXero_p_Pagesize.htm). A thousand journals take 1, 2,
 * 4, 8 or 40 calls. An organisation can make 1,000 to 5,000 calls per day
 * (developer.xero.com/documentation/guides/oauth2/limits).
 */
export const journalPageSizes = [1000, 500, 250, 125, 25] as const;

/** Xero's page size for requests without `pageSize`, or if Xero ignores it. */
const defaultPageSize = 100;

/**
 * Xero can sort by this field, by Date and by UpdatedDateUTC, the default
 * (developer.xero.com/documentation/api/accounting/manualjournals). Each call computes the pages
 * again. A journal that moves towards the end would move another journal to an earlier page, which
 * was already read. Ids never change, so with this order a new journal only moves others to a later
 * page, where they are read again. Drafts and voided journals are not filtered out, because a
 * journal voided during the import would leave the list.
 */
const order = 'ManualJournalID ASC';

/**
 * A position in the list: the number of journals before it.
 *
 * `isOrdered` is false if the list has Xero's default order. Xero has returned all journals on each
 * page of an ordered list (github.com/singer-io/tap-xero, pull request 104). If a page is too long,
 * the import reads the list again without an order.
 *
 * `limit` is the size of Xero's pages if it ignores the requested size.
 */
type Position = { offset: number; isOrdered: boolean; limit: number | null };

const unordered: Position = { offset: 0, isOrdered: false, limit: null };

/** Examples: `1000`, `unordered:1000`, and `unordered:1000/100` with a limit of 100. */
const cursorOf = ({ offset, isOrdered, limit }: Position): string =>
  `${isOrdered ? '' : 'unordered:'}${offset}${limit === null ? '' : `/${limit}`}`;

const positionOf = (cursor: string | null): Position => {
  const [, kind, offset, limit] =
    /^(unordered:)?(\d{1,9})(?:\/([1-9]\d{0,8}))?$/.exec(cursor ?? '0') ?? [];
  if (offset === undefined) throw new PlatformFailure('page_did_not_advance');
  const isOrdered = kind === undefined;
  return { offset: Number(offset), isOrdered, limit: limit ? Number(limit) : null };
};

/** Xero's documentation shows replies without `pagination`, its specification replies with it. */
export const Pagination = z.object({
  page: z.int(),
  pageCount: z.int(),
  pageSize: z.nullish(z.int().check(z.positive())),
  itemCount: z.nullish(z.int()),
});

type Listed = { listed: number; pagination: z.output<typeof Pagination> | null | undefined };

/** The size of Xero's pages, if this page shows that it differs from the requested size. */
const servedSize = ({ listed, pagination }: Listed, size: number): number => {
  if (listed >= size) return listed;
  return pagination ? (pagination.pageSize ?? size) : listed === defaultPageSize ? listed : size;
};

/** The page at a cursor, and the cursor of the next page. */
export const pageAt = (cursor: string | null, rows: number) => {
  const position = positionOf(cursor);
  const size = position.limit ?? rows;
  const page = Math.floor(position.offset / size) + 1;
  const start = (page - 1) * size;

  const isLast = (reply: Listed): boolean =>
    reply.pagination ? page >= reply.pagination.pageCount : reply.listed < servedSize(reply, size);

  /** Whether Xero may have returned all journals instead of the requested page. */
  const mayBeAll = ({ listed, pagination }: Listed): boolean =>
    position.isOrdered && (pagination ? listed > size : !isLast({ listed, pagination }));

  const isWholeList = ({ listed, pagination }: Listed): boolean =>
    listed >= (pagination?.itemCount ?? Number.POSITIVE_INFINITY);

  /** @throws PlatformFailure `page_did_not_advance` */
  const nextAfter = (reply: Listed): string | null => {
    const { listed, pagination } = reply;
    if (mayBeAll(reply)) return isWholeList(reply) ? null : cursorOf(unordered);
    if (pagination && pagination.page !== page) throw new PlatformFailure('page_did_not_advance');
    if (isLast(reply)) return null;
    if (listed === 0) throw new PlatformFailure('page_did_not_advance');
    const served = servedSize(reply, size);
    if (served === size) return cursorOf({ ...position, offset: start + size });
    if (position.limit !== null) throw new PlatformFailure('page_did_not_advance');
    // The first page starts at 0 with any size. For a later page the start is unknown.
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
     * The result for a page that was too large or too slow. If Xero returns all journals, only
     * reading without an order helps, not smaller pages. Rethrows other failures.
     * @param options.isCutShort whether the call had less time than Xero is allowed
     */
    insteadAfter: (error: unknown, { isCutShort }: { isCutShort: boolean }): JournalPage => {
      const isSmaller = rows < journalPageSizes[0];
      const isSuspect =
        isFailure(error, 'reply_too_large') ||
        (isFailure(error, 'platform_timed_out') && isSmaller && !isCutShort);
      if (!position.isOrdered || !isSuspect) throw error;
      return { journals: [], refused: [], next: cursorOf(unordered), pagesShift: true };
    },
  };
};
