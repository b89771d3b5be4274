// What an application keeps with an entry: a few texts by names of its own.

import * as z from 'zod/mini';
import type { ProblemCode } from '../../problem-codes.ts';
import { newId, text } from '../fields.ts';

const maximumPairs = 20;
const maximumNameLength = 40;
const maximumValueLength = 500;

const Name = newId(maximumNameLength);
const Value = text(maximumValueLength);

/**
 * Many programs take the one for the prototype of what they read, and the other for its class: the
 * SDK refuses to write that.
 */
const reservedNames = ['__proto__', 'constructor'];

/** A longer name is not sent back whole: the reply then points at what holds it. */
const maximumNamedLength = 100;

type Found = { code: ProblemCode; params?: object | undefined };

const brokenBy = (schema: z.ZodMiniType, value: unknown): Found[] =>
  (schema.safeParse(value).error?.issues ?? []).map((issue) =>
    issue.code === 'custom'
      ? { code: issue.message as ProblemCode, params: issue.params }
      : { code: 'wrong_type', params: { expected: 'string' } },
  );

const problemsOfPair = ([name, value]: [string, unknown], names: readonly string[]): Found[] => {
  if (reservedNames.includes(name)) return [{ code: 'name_not_allowed' }];
  const read = Name.safeParse(name);
  const isTaken =
    read.success &&
    names.some((other) => other !== name && Name.safeParse(other).data === read.data);
  return [
    ...(isTaken ? [{ code: 'duplicate_name' as const }] : []),
    ...brokenBy(Name, name),
    ...brokenBy(Value, value),
  ];
};

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const checkPairs = z.superRefine<unknown>((given, { addIssue }) => {
  const add = (path: string[], { code, params }: Found) =>
    // Each issue has a path of its own: what holds the pairs is put before it in place.
    addIssue({ code: 'custom', message: code, path: [...path], ...(params && { params }) });
  if (!isObject(given)) return add([], { code: 'wrong_type', params: { expected: 'object' } });
  const pairs = Object.entries(given);
  const names = pairs.map(([name]) => name);
  if (pairs.length > maximumPairs) {
    return add([], { code: 'too_many_items', params: { maximum: maximumPairs } });
  }
  for (const pair of pairs) {
    const path = pair[0].length > maximumNamedLength ? [] : [pair[0]];
    for (const found of problemsOfPair(pair, names)) add(path, found);
  }
});

/**
 * Pairs of names and texts, which come out in NFC. A record of zod's would leave `__proto__` out,
 * and of two names that are one in NFC the first, without a word.
 */
export const metadata = z.pipe(
  z.unknown().check(
    checkPairs,
    z.meta({
      type: 'object',
      propertyNames: { minLength: 1, maxLength: maximumNameLength, pattern: '\\S' },
      additionalProperties: { type: 'string', maxLength: maximumValueLength },
      maxProperties: maximumPairs,
    }),
  ),
  z.transform(
    (given): Record<string, string> =>
      Object.fromEntries(
        Object.entries(given as Record<string, string>).map(([name, value]) => [
          name.normalize('NFC'),
          value.normalize('NFC'),
        ]),
      ),
  ),
);
