// Pages of lists: the limit and the cursor.
//
// A cursor holds the position of the last item, not a count, so items that are added between two
// requests cause no duplicates and no gaps. Cursors are neither secret nor signed: a forged cursor
// only starts at another position in a list that its caller may read in full. To keep it so, a
// position holds the bounded parts of a key after its prefix, never a whole key.

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { ApiError, problem } from '../errors.ts';
import { queryInteger, rule } from '../fields.ts';

const maximumPageLimit = 200;
const defaultPageLimit = 50;

export const pageLimit = z
  ._default(queryInteger({ minimum: 1, maximum: maximumPageLimit }), defaultPageLimit)
  .check(z.describe(`Maximum number of items on the page. Defaults to ${defaultPageLimit}.`));

export const nextCursor = z
  .nullable(z.string())
  .check(
    z.describe(
      'Pass it as `cursor` to get the next page. Null on the last page. If it is not null, there ' +
        'may be more items, even if this page is short or empty.',
    ),
  );

export const cursorNotValid = (): ApiError =>
  new ApiError('validation_failed', { details: [problem('cursor_not_valid', '/cursor')] });

/** Increase it when the content of cursors changes its meaning, to refuse older cursors. */
const version = 1;

const maximumCursorLength = 2_000;

/** The query of a list. All fields except `limit` and `cursor` are filters. */
type PageQuery = { limit?: number; cursor?: string | undefined } & Record<string, unknown>;

/** Digests the name and the filters of a list. The order of the filters does not matter. */
const digestOf = (list: string, { limit: _limit, cursor: _cursor, ...filters }: PageQuery) => {
  const defined = Object.entries(filters).filter(([, value]) => value !== undefined);
  const ordered = defined.sort(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify([list, ordered]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
};

/**
 * Reads and writes the cursors of a list.
 *
 * @param list the list's name; a cursor of another list is refused
 * @param position the schema of the position after which a page starts
 */
export const openCursors = <Position extends z.ZodMiniType>(list: string, position: Position) => {
  const Cursor = z.strictObject({ version: z.literal(version), query: z.string(), position });

  const decode = (text: string): { query: string; position: z.output<Position> } | undefined => {
    try {
      const json = JSON.parse(Buffer.from(text, 'base64url').toString());
      return Cursor.safeParse(json).data as ReturnType<typeof decode>;
    } catch {
      return undefined;
    }
  };

  return {
    /** The request field. `positionOf` checks that the cursor belongs to the query. */
    field: z.optional(
      z.string().check(
        rule<string>(
          'cursor_not_valid',
          (text) => text.length <= maximumCursorLength && decode(text) !== undefined,
        ),
        z.meta({
          minLength: 1,
          maxLength: maximumCursorLength,
          description:
            '`next_cursor` of the previous page. Send the same query; only `limit` may change. ' +
            'Omit it for the first page.',
        }),
      ),
    ),

    /**
     * The position after which the page starts; `undefined` for the first page.
     * @throws ApiError `validation_failed` if the cursor belongs to another query
     */
    positionOf: (query: PageQuery): z.output<Position> | undefined => {
      if (query.cursor === undefined) return undefined;
      const cursor = decode(query.cursor);
      if (cursor?.query !== digestOf(list, query)) throw cursorNotValid();
      return cursor.position;
    },

    /** The cursor of the next page, or null on the last page. */
    next: (query: PageQuery, next: z.output<Position> | undefined): string | null =>
      next === undefined
        ? null
        : Buffer.from(
            JSON.stringify({ version, query: digestOf(list, query), position: next }),
          ).toString('base64url'),
  };
};
