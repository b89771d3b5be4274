// Where the lists of Zoho Books go on: pages counted from 1, of a size that may get smaller.

import * as z from 'zod/mini';
import { PlatformFailure } from '../platform.ts';

/**
 * 200 rows are what Zoho gives where nothing is asked for (www.zoho.com/books/api/v3/pagination),
 * and what others ask for at the most (github.com/airbytehq/airbyte, source-zoho-books). The most
 * that it may give is not documented.
 */
export const zohoPageSizes = [200, 100, 50, 25] as const;

/** What a page says of its place in a list. */
export const PageContext = z.object({
  page: z.int(),
  per_page: z.nullish(z.int()),
  has_more_page: z.boolean(),
  sort_column: z.nullish(z.string()),
});

/**
 * A cursor is the number of rows before the page; or the number of a page itself, of a platform
 * that takes another size than was asked for: only its own count leads through that list.
 */
type Cursor = { rowsBefore: number } | { page: number };

const parseCursor = (cursor: string | null): Cursor => {
  const [, kind, digits] = /^(page )?(\d{1,9})$/.exec(cursor ?? '0') ?? [];
  if (digits === undefined) throw new PlatformFailure('page_did_not_advance');
  return kind ? { page: Math.max(1, Number(digits)) } : { rowsBefore: Number(digits) };
};

/** A page to ask for; `first` is the place of its first row in the list, counted from 1. */
export type ZohoPage = { cursor: Cursor; rows: number; page: number; first: number };

/** Rows that a smaller page before left in the middle of this one come again, and none is lost. */
export const zohoPageAt = (asked: { cursor: string | null; rows: number }): ZohoPage => {
  const { rows } = asked;
  const cursor = parseCursor(asked.cursor);
  const page = 'page' in cursor ? cursor.page : Math.floor(cursor.rowsBefore / rows) + 1;
  return { cursor, rows, page, first: (page - 1) * rows + 1 };
};

/**
 * The cursor of the page that follows, if one does. Where the platform has taken another size, the
 * rows between are not known, so the list begins anew by its own count, unless it just began.
 * @throws PlatformFailure where it is not the page that was asked for
 */
export const cursorAfter = (
  { cursor, rows, page }: ZohoPage,
  reply: { context: z.output<typeof PageContext>; listed: number },
): string | null => {
  const { context, listed } = reply;
  if (context.page !== page) throw new PlatformFailure('page_did_not_advance');
  const byNumber = context.has_more_page ? `page ${page + 1}` : null;
  if ('page' in cursor) return byNumber;
  const tookAnotherSize = listed > rows || (context.per_page ?? rows) !== rows;
  if (tookAnotherSize && page > 1) return 'page 1';
  if (tookAnotherSize || byNumber === null) return byNumber;
  return String(page * rows);
};
