import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openCursors, pageLimit } from '#shared/endpoint/page.view.ts';
import { validate } from '#shared/endpoint/validation.ts';
import { ApiError, problem } from '#shared/errors.ts';
import { calendarDate, queryBoolean } from '#shared/fields.ts';

const position = z.strictObject({ code: z.string(), balance: z.optional(z.string()) });
const cursors = openCursors('list-things', position);
const Request = z.strictObject({
  domain_url: z.string(),
  from: z.optional(calendarDate),
  by_currency: z.optional(queryBoolean),
  limit: pageLimit,
  cursor: cursors.field,
});

const query = { domain_url: 'acme', from: '2026-01-31', limit: 50 };
const cursor = cursors.next(query, { code: '1010', balance: '-7.00' }) ?? '';

const problemsOf = (given: object) => {
  const validated = validate(Request, { domain_url: 'acme', ...given });
  return validated.valid
    ? []
    : validated.problems.map(({ code, pointer, params }) => [code, pointer, params]);
};

describe('the page of a query', () => {
  test.each([
    ['by default', {}, { limit: 50 }],
    ['with the minimum limit', { limit: '1' }, { limit: 1 }],
    ['with the maximum limit', { limit: '200' }, { limit: 200 }],
    ['with a true boolean', { by_currency: 'true' }, { limit: 50, by_currency: true }],
    ['with a false boolean', { by_currency: 'false' }, { limit: 50, by_currency: false }],
    ['with a cursor', { cursor }, { limit: 50, cursor }],
  ])('is read %s', (_title, given, value) => {
    const validated = validate(Request, { domain_url: 'acme', ...given });
    expect(validated).toEqual({ valid: true, value: { domain_url: 'acme', ...value } });
  });

  const outOfRange = { minimum: 1, maximum: 200 };
  const encoded = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
  const { query: digest } = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  const made = { version: 1, query: digest, position: { code: '1010' } };
  test.each([
    ['nothing', { limit: '0' }, 'out_of_range', '/limit', outOfRange],
    ['less', { limit: '-1' }, 'out_of_range', '/limit', outOfRange],
    ['too many', { limit: '201' }, 'out_of_range', '/limit', outOfRange],
    ['a half', { limit: '1.5' }, 'wrong_type', '/limit', { expected: 'integer' }],
    ['not a number', { limit: '' }, 'wrong_type', '/limit', { expected: 'integer' }],
    ['perhaps', { by_currency: '1' }, 'wrong_type', '/by_currency', { expected: 'boolean' }],
    ['an empty cursor', { cursor: '' }, 'cursor_not_valid', '/cursor', undefined],
    ['a malformed cursor', { cursor: 'eyJ9' }, 'cursor_not_valid', '/cursor', undefined],
    [
      'a cursor of another version',
      { cursor: encoded({ ...made, version: 2 }) },
      'cursor_not_valid',
      '/cursor',
      undefined,
    ],
    [
      'a cursor with another position',
      { cursor: encoded({ ...made, position: { key: '1010' } }) },
      'cursor_not_valid',
      '/cursor',
      undefined,
    ],
    [
      'a very long cursor',
      { cursor: encoded({ ...made, position: { code: 'x'.repeat(2_000) } }) },
      'cursor_not_valid',
      '/cursor',
      undefined,
    ],
  ])('is refused if the query has %s', (_title, given, code, pointer, params) => {
    expect(problemsOf(given)).toEqual([[code, pointer, params]]);
  });
});

describe('a cursor', () => {
  test('returns its position, with another limit and any order of filters', () => {
    const { limit: _limit, from, ...rest } = query;
    const next = { limit: 7, by_currency: undefined, from, ...rest, cursor };
    expect(cursors.positionOf(next)).toEqual({ code: '1010', balance: '-7.00' });
    expect(cursors.positionOf(query)).toBeUndefined();
    expect(cursors.next(query, undefined)).toBeNull();
  });

  test.each([
    ['another tenant', cursors, { ...query, domain_url: 'acme-2' }],
    ['another filter', cursors, { ...query, from: '2026-02-01' }],
    ['one filter less', cursors, { domain_url: 'acme', limit: 50 }],
    ['another list', openCursors('list-others', position), query],
  ])('is refused for %s', (_title, of, other) => {
    const details = [problem('cursor_not_valid', '/cursor')];
    const error = new ApiError('validation_failed', { details });
    expect(() => of.positionOf({ ...other, cursor })).toThrow(error);
    expect(() =>
      of.positionOf({ ...other, cursor: of.next(other, { code: '1' }) ?? '' }),
    ).not.toThrow();
  });
});
