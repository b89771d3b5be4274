// The pages of Zoho's lists: counted from 1, with a page size that can become smaller.

import * as z from 'zod/mini';
import { PlatformFailure } from '../platform.ts';

/**
 * The possible page sizes. 200 is Zoho's default (www.zoho.com/books/api/v3/pagination) and the
 * maximum that others use (github.com/airbytehq/airbyte, source-zoho-books). Zoho documents no
 * maximum.
 */
export const zohoPageSizes = [200, 100, 50, 25] as const;

/** A page's position in its list. */
export const PageContext = z.object({
  page: z.int(),
  per_page: z.nullish(z.int()),
  has_more_page: z.boolean(),
  sort_column: z.nullish(z.string()),
});

/**
 * A cursor is the number of rows before a page, or a page number. The page number is for a platform
 * that does not use the requested page size.
 */
type Cursor = { rowsBefore: number } | { page: number };

const parseCursor = (cursor: string | null): Cursor => {
  const [, kind, digits] = /^(page )?(\d{1,9})$/.exec(cursor ?? '0') ?? [];
  if (digits === undefined) throw new PlatformFailure('page_did_not_advance');
  return kind ? { page: Math.max(1, Number(digits)) } : { rowsBefore: Number(digits) };
};

/** `first` is the position of the page's first row in the list, counted from 1. */
type ZohoPage = { cursor: Cursor; rows: number; page: number; first: number };

/** The page that contains the cursor. It may repeat rows of an earlier, smaller page. */
export const zohoPageAt = ({
  rows,
  ...request
}: {
  cursor: string | null;
  rows: number;
}): ZohoPage => {
  const cursor = parseCursor(request.cursor);
  const page = 'page' in cursor ? cursor.page : Math.floor(cursor.rowsBefore / rows) + 1;
  return { cursor, rows, page, first: (page - 1) * rows + 1 };
};

/**
 * The cursor of the next page, if there is one. If the platform used another page size, the rows
 * in between are unknown. The list then starts again with page numbers, unless this is its first
 * page.
 * @throws PlatformFailure `page_did_not_advance` if the reply is for another page
 */
export const cursorAfter = (
  { cursor, rows, page }: ZohoPage,
  reply: { context: z.output<typeof PageContext>; listed: number },
): string | null => {
  const { context, listed } = reply;
  if (context.page !== page) throw new PlatformFailure('page_did_not_advance');
  const byNumber = context.has_more_page ? `page ${page + 1}` : null;
  if ('page' in cursor) return byNumber;
  const hasOtherSize = listed > rows || (context.per_page ?? rows) !== rows;
  if (hasOtherSize && page > 1) return 'page 1';
  if (hasOtherSize || byNumber === null) return byNumber;
  return String(page * rows);
};
