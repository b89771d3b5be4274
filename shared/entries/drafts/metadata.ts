// The metadata of an entry: pairs of a name and a text from the application.

import * as z from 'zod/mini';
import type { ProblemCode } from '../../errors.ts';
import { newId, rule, text } from '../../fields.ts';
import { maximumIndexedKeys } from '../../tenants/indexed-metadata.ts';

const maximumPairs = 20;
const maximumNameLength = 40;
const maximumValueLength = 500;

export const metadataKey = newId(maximumNameLength);
export const metadataValue = text(maximumValueLength);

/** The keys of a tenant's index, in a request. */
export const indexedMetadata = z.optional(
  z.array(metadataKey).check(
    rule<string[]>('too_many_items', (keys) => keys.length <= maximumIndexedKeys, {
      maximum: maximumIndexedKeys,
    }),
    rule<string[]>('duplicate_name', (keys) => new Set(keys).size === keys.length),
    z.meta({ maxItems: maximumIndexedKeys, uniqueItems: true, example: ['order'] }),
    z.describe('Metadata keys by which list-journal-entries can look entries up.'),
  ),
);

/**
 * Many programs treat `__proto__` as the prototype of an object and `constructor` as its class. The
 * AWS SDK refuses to write an object with a class.
 */
const reservedNames = ['__proto__', 'constructor'];

/** The pointer to a pair with a longer name stops at `metadata`, so the reply stays short. */
const maximumPointerNameLength = 100;

type Violation = { code: ProblemCode; params?: object | undefined };

const violationsOf = (schema: z.ZodMiniType, value: unknown): Violation[] =>
  (schema.safeParse(value).error?.issues ?? []).map((issue) =>
    issue.code === 'custom'
      ? { code: issue.message as ProblemCode, params: issue.params }
      : { code: 'wrong_type', params: { expected: 'string' } },
  );

const violationsOfPair = (
  [name, value]: [string, unknown],
  names: readonly string[],
): Violation[] => {
  if (reservedNames.includes(name)) return [{ code: 'name_not_allowed' }];
  const parsed = metadataKey.safeParse(name);
  const isDuplicate =
    parsed.success &&
    names.some((other) => other !== name && metadataKey.safeParse(other).data === parsed.data);
  return [
    ...(isDuplicate ? [{ code: 'duplicate_name' as const }] : []),
    ...violationsOf(metadataKey, name),
    ...violationsOf(metadataValue, value),
  ];
};

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const checkPairs = z.superRefine<unknown>((value, { addIssue }) => {
  const add = (path: string[], { code, params }: Violation) =>
    // Copy the path, because zod prepends to it in place.
    addIssue({ code: 'custom', message: code, path: [...path], ...(params && { params }) });
  if (!isObject(value)) return add([], { code: 'wrong_type', params: { expected: 'object' } });
  const pairs = Object.entries(value);
  const names = pairs.map(([name]) => name);
  if (pairs.length > maximumPairs) {
    return add([], { code: 'too_many_items', params: { maximum: maximumPairs } });
  }
  for (const pair of pairs) {
    const path = pair[0].length > maximumPointerNameLength ? [] : [pair[0]];
    for (const violation of violationsOfPair(pair, names)) add(path, violation);
  }
});

/**
 * Names and texts, normalized to NFC. Not a zod record: that would silently drop `__proto__`, and
 * the first of two names that are equal in NFC.
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
    (pairs): Record<string, string> =>
      Object.fromEntries(
        Object.entries(pairs as Record<string, string>).map(([name, value]) => [
          name.normalize('NFC'),
          value.normalize('NFC'),
        ]),
      ),
  ),
);
