import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { inexactNumber, validate } from '#shared/endpoint/validation.ts';
import { amount, rule, userId } from '#shared/fields.ts';

const Line = z.strictObject({ account: z.string(), debit: z.optional(amount) });
const Request = z
  .strictObject({
    memo: z.string().check(rule('must_not_be_blank', (memo: string) => memo !== '')),
    platform: z.enum(['manual', 'other']),
    user_id: userId,
    count: z.optional(z.int().check(z.gte(1), z.lte(5))),
    lines: z.optional(z.array(Line)),
    company_name: z.optional(z.string()),
  })
  .check(
    z.refine(({ platform, company_name }) => platform !== 'manual' || company_name !== undefined, {
      error: 'required',
      path: ['company_name'],
    }),
  );

const valid = { memo: 'x', platform: 'other', user_id: '7' };

/** Every problem: its code, its pointer and its parameters. */
const problemsOf = (input: unknown) => {
  const validated = validate(Request, input);
  return validated.valid
    ? []
    : validated.problems.map(({ code, pointer, params }) => [
        `${code} ${pointer}`,
        ...(params ? [params] : []),
      ]);
};

describe('validating a request', () => {
  test('returns the parsed value of a valid request', () => {
    expect(validate(Request, valid)).toEqual({ valid: true, value: { ...valid, user_id: 7 } });
  });

  const notObject = [['wrong_type ', { expected: 'object' }]];
  const items = [{ account: 'a' }, { debit: '-1' }, { account: 'a', debit: [], x: 1 }, 7];

  test.each<[title: string, changes: object, problems: unknown[]]>([
    ['above its range, with the limit', { count: 6 }, ['out_of_range /count', { maximum: 5 }]],
    ['below its range, with the limit', { count: 0 }, ['out_of_range /count', { minimum: 1 }]],
    ['that is no integer', { count: 1.5 }, ['wrong_type /count', { expected: 'int' }]],
    ['that is null', { count: null }, ['wrong_type /count', { expected: 'number' }]],
    ['of the alternative whose type fits', { user_id: '0' }, ['user_id_not_valid /user_id']],
    [
      'of a type outside its alternatives',
      { user_id: true },
      ['wrong_type /user_id', { expected: ['number', 'string'] }],
    ],
    [
      'outside its allowed values',
      { platform: 'Manual' },
      ['not_an_allowed_value /platform', { allowed: ['manual', 'other'] }],
    ],
    ['that another one demands', { platform: 'manual' }, ['required /company_name']],
  ])('names a value %s', (_title, changes, problem) => {
    expect(problemsOf({ ...valid, ...changes })).toEqual([problem]);
  });

  test.each<[title: string, input: unknown, problems: unknown[]]>([
    [
      'every problem at once, in the order of the schema, unknown fields last',
      { zeta: 1, user_id: 0, memo: '', alpha: 2 },
      [
        ['must_not_be_blank /memo'],
        ['required /platform'],
        ['user_id_not_valid /user_id'],
        ['unknown_field /zeta', { field: 'zeta' }],
        ['unknown_field /alpha', { field: 'alpha' }],
      ],
    ],
    [
      'problems of items, at their places',
      { ...valid, lines: items },
      [
        ['required /lines/1/account'],
        ['amount_not_valid /lines/1/debit'],
        ['wrong_type /lines/2/debit', { expected: ['string', 'number'] }],
        ['unknown_field /lines/2/x', { field: 'x' }],
        ['wrong_type /lines/3', { expected: 'object' }],
      ],
    ],
    ['a list in place of the request', [], notObject],
    ['a null in place of the request', null, notObject],
    ['a text in place of the request', 'x', notObject],
  ])('names %s', (_title, input, problems) => {
    expect(problemsOf(input)).toEqual(problems);
  });

  test.each<[title: string, changes: object, pointer: string]>([
    ['a number', { count: inexactNumber }, '/count'],
    ['a number or a text', { user_id: inexactNumber }, '/user_id'],
    ['a text', { memo: inexactNumber }, '/memo'],
    ['one of several values', { platform: inexactNumber }, '/platform'],
    ['a list', { lines: inexactNumber }, '/lines'],
    ['an item of a list', { lines: [{ account: 'a' }, inexactNumber] }, '/lines/1'],
    ['its field', { lines: [{ account: 'a', debit: inexactNumber }] }, '/lines/0/debit'],
  ])('reports an inexact number in place of %s', (_title, changes, pointer) => {
    expect(problemsOf({ ...valid, ...changes })).toEqual([[`number_not_exact ${pointer}`]]);
  });

  test.each<[title: string, written: object, pointer: string, meant: string | undefined]>([
    ['a letter is missing', { mem: 1 }, '/mem', 'memo'],
    ['two letters are swapped', { platfrom: 1 }, '/platfrom', 'platform'],
    ['it is written in another case', { userId: 1 }, '/userId', 'user_id'],
    ['it is an item of a list', { lines: [{ account: 'a', dbit: 1 }] }, '/lines/0/dbit', 'debit'],
    ['nothing is near', { colour: 1 }, '/colour', undefined],
  ])('suggests the nearest field for an unknown field, if %s', (_, written, pointer, meant) => {
    const field = pointer.split('/').at(-1);
    expect(problemsOf({ ...valid, ...written })).toEqual([
      [`unknown_field ${pointer}`, { field, ...(meant && { did_you_mean: meant }) }],
    ]);
  });

  test('quotes an unknown field of at most 100 characters', () => {
    const long = 'x'.repeat(101);
    const input = JSON.parse(`{"a/b~c":1,"__proto__":2,"constructor":3,"${long}":4}`);
    const all = Object.defineProperties(input, Object.getOwnPropertyDescriptors(valid));
    expect(problemsOf(all)).toEqual([
      ['unknown_field /a~1b~0c', { field: 'a/b~c' }],
      ['unknown_field /__proto__', { field: '__proto__' }],
      ['unknown_field /constructor', { field: 'constructor' }],
      ['unknown_field ', { field: 'x'.repeat(100) }],
    ]);
  });
});
