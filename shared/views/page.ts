// A page of a list: how many a request asks for, and the cursor by which the next page is asked.
//
// A cursor says after what the next page begins, not how many came before, so that what is added
// meanwhile makes nothing appear twice or be left out. It is no secret and not signed: all that
// a made-up one can do is to begin elsewhere in a list that its caller may read whole. So a
// position holds what is put behind a key's prefix, in bounds, and never a whole key.

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { queryInteger, rule } from '../domain/fields.ts';
import { ApiError, problem } from '../errors.ts';

export const maximumPageLimit = 200;
const defaultPageLimit = 50;

/** How many a page has at most. */
export const pageLimit = z
  ._default(queryInteger({ minimum: 1, maximum: maximumPageLimit }), defaultPageLimit)
  .check(z.describe(`How many a page has at most; ${defaultPageLimit} without it.`));

export const nextCursor = z
  .nullable(z.string())
  .check(
    z.describe(
      'The `cursor` of the next page, or null. Until it is null there may be more, even if this ' +
        'page is short or empty.',
    ),
  );

/** Changes with the meaning of what a cursor has, so that an older one is refused. */
const version = 1;

const maximumCursorLength = 2_000;

/** The query of a list, of which all but the page decides what the list has. */
type PageQuery = { limit: number; cursor?: string | undefined } & Record<string, unknown>;

/** A digest of what decides the list, in whatever order it was given. */
const digestOf = (list: string, { limit: _limit, cursor: _cursor, ...filters }: PageQuery) => {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const ordered = given.sort(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify([list, ordered]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
};

/**
 * The cursors of a list.
 *
 * @param list its name, so that no other list takes its cursors
 * @param position after what a page begins, and whatever else the list has to remember
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
    /** The field of the request. Whether the cursor belongs to its query is decided later. */
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
            'The `next_cursor` of the page before, with the same query but for `limit`; without ' +
            'it, the first page.',
        }),
      ),
    ),

    /**
     * Where the page begins that a query asks for; `undefined` at the beginning of the list.
     * @throws ApiError where the cursor is of another query
     */
    positionOf: (query: PageQuery): z.output<Position> | undefined => {
      if (query.cursor === undefined) return undefined;
      const cursor = decode(query.cursor);
      if (cursor === undefined || cursor.query !== digestOf(list, query)) {
        const details = [problem('cursor_not_valid', '/cursor')];
        throw new ApiError('validation_failed', { details });
      }
      return cursor.position;
    },

    /** The cursor of the next page, or null where there is none. */
    next: (query: PageQuery, next: z.output<Position> | undefined): string | null =>
      next === undefined
        ? null
        : Buffer.from(
            JSON.stringify({ version, query: digestOf(list, query), position: next }),
          ).toString('base64url'),
  };
};
