// Validates requests against their schemas and lists the problems.

import { closest, distance } from 'fastest-levenshtein';
import * as z from 'zod/mini';
import {
  maximumProblems,
  type Problem,
  type ProblemCode,
  pointerTo,
  problem,
  problems,
} from '../errors.ts';

/** Replaces a number that a float cannot hold in a parsed body. No schema accepts a symbol. */
export const inexactNumber = Symbol('a number that a float cannot hold');

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const definitionOf = (schema: z.core.$ZodType) =>
  (schema._zod as { def: z.core.$ZodTypes['_zod']['def'] }).def;

/** The field names of the object schema at this path. */
const fieldNamesAt = (
  schema: z.core.$ZodType,
  [key, ...rest]: readonly PropertyKey[],
): string[] => {
  const def = definitionOf(schema);
  if (def.type === 'optional')
    return fieldNamesAt(def.innerType, key === undefined ? [] : [key, ...rest]);
  if (def.type === 'array') return fieldNamesAt(def.element, rest);
  if (def.type !== 'object') return [];
  if (key === undefined) return Object.keys(def.shape);
  const field = def.shape[String(key)];
  return field === undefined ? [] : fieldNamesAt(field, rest);
};

const isOptional = (schema: z.core.$ZodType | undefined): boolean =>
  schema?._zod.optin === 'optional';

/**
 * The input without optional fields that are null. Replies contain nulls, and callers can send
 * parts of them back. Required and unknown fields that are null stay, and validation reports them.
 */
export const withoutNulls = (schema: z.core.$ZodType, input: unknown): unknown => {
  const def = definitionOf(schema);
  if (def.type === 'optional') return withoutNulls(def.innerType, input);
  if (def.type === 'array' && Array.isArray(input)) {
    return input.map((item) => withoutNulls(def.element, item));
  }
  if (def.type !== 'object' || !isRecord(input)) return input;
  const fieldOf = (name: string) => (Object.hasOwn(def.shape, name) ? def.shape[name] : undefined);
  return Object.fromEntries(
    Object.entries(input)
      .filter(([name, value]) => value !== null || !isOptional(fieldOf(name)))
      .map(([name, value]) => {
        const field = fieldOf(name);
        return [name, field === undefined ? value : withoutNulls(field, value)];
      }),
  );
};

/** The maximum number of items in a list of this schema. */
const maximumItemsOf = ({ checks = [] }: z.core.$ZodTypeDef): number => {
  const definitions = checks.map((check) => check._zod.def);
  const isMaximum = (def: z.core.$ZodCheckDef): def is z.core.$ZodCheckMaxLengthDef =>
    def.check === 'max_length';
  return Math.min(...definitions.filter(isMaximum).map(({ maximum }) => maximum));
};

/** A list that exceeds its maximum. `further` are the excess items that are validated. */
type LongList = {
  path: readonly PropertyKey[];
  maximum: number;
  element: z.core.$ZodType;
  further: unknown[];
};

/**
 * Cuts lists at their maximum, and returns the lists that were longer. Up to twice the maximum is
 * validated: zod puts the issues of all items on the stack at once, which overflows with a hundred
 * thousand items, and it skips some rules for the items of a list that is too long.
 */
const withinLengths = (
  schema: z.core.$ZodType,
  input: unknown,
  path: readonly PropertyKey[] = [],
): { input: unknown; longLists: LongList[] } => {
  const def = definitionOf(schema);
  if (def.type === 'optional') return withinLengths(def.innerType, input, path);
  if (def.type === 'array' && Array.isArray(input)) {
    const { element } = def;
    const maximum = maximumItemsOf(def);
    const bounded = input
      .slice(0, 2 * maximum)
      .map((item, index) => withinLengths(element, item, [...path, index]));
    const items = bounded.map((item) => item.input);
    const further = items.splice(maximum);
    return {
      input: items,
      longLists: [
        ...(further.length > 0 ? [{ path, maximum, element, further }] : []),
        ...bounded.flatMap(({ longLists }) => longLists),
      ],
    };
  }
  if (def.type !== 'object' || !isRecord(input)) return { input, longLists: [] };
  const fields = Object.entries(def.shape)
    .filter(([name]) => Object.hasOwn(input, name))
    .map(([name, of]) => ({ name, ...withinLengths(of, input[name], [...path, name]) }));
  return {
    input: { ...input, ...Object.fromEntries(fields.map((it) => [it.name, it.input])) },
    longLists: fields.flatMap(({ longLists }) => longLists),
  };
};

type Validated<Value> = { valid: true; value: Value } | { valid: false; problems: Problem[] };

/**
 * Validates a request against its schema and lists every problem: first lists that are too long,
 * then the others in the order of the schema.
 */
export const validate = <Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
): Validated<z.output<Schema>> => {
  const { input: bounded, longLists } = withinLengths(schema, input);
  const parsed = schema.safeParse(bounded);
  if (parsed.success && longLists.length === 0) return { valid: true, value: parsed.data };
  const problemsBelow = (below: readonly PropertyKey[], issues: readonly Issue[] = []): Problem[] =>
    issues.slice(0, maximumProblems).flatMap((it) => problemsOf(it, { schema, input, below }));
  return {
    valid: false,
    problems: [
      ...longLists.map(({ path, maximum }) =>
        problem('too_many_items', pointerTo(...path), { maximum }),
      ),
      ...problemsBelow([], parsed.error?.issues),
      ...longLists.flatMap(({ path, maximum, element, further }) =>
        further.flatMap((item, index) =>
          problemsBelow([...path, maximum + index], z.safeParse(element, item).error?.issues),
        ),
      ),
    ],
  };
};

/** The valid fields of a request, even if other fields are invalid. */
export const validFieldsOf = <Shape extends z.core.$ZodShape>(
  schema: z.ZodMiniObject<Shape>,
  input: unknown,
): Partial<z.output<z.ZodMiniObject<Shape>>> => {
  const values = isRecord(input) ? input : {};
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const parsed = z.safeParse(field, values[name]);
    return parsed.success && parsed.data !== undefined ? [[name, parsed.data] as const] : [];
  });
  return Object.fromEntries(fields) as Partial<z.output<z.ZodMiniObject<Shape>>>;
};

type Issue = z.core.$ZodIssue;
type Place = { schema: z.core.$ZodType; input: unknown; below: readonly PropertyKey[] };

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  );

/** A longer key is cut in the reply. The pointer then names the object that contains it. */
const maximumNamedKeyLength = 100;

const isProblemCode = (text: string): text is ProblemCode => Object.hasOwn(problems, text);

/** Names are compared in this form: `transaction_currency` equals `transactionCurrency`. */
const comparable = (name: string): string => name.replace(/[-_\s]/g, '').toLowerCase();

/** The known field with the most similar name, if it is similar enough. */
const suggestionFor = (unknown: string, known: readonly string[]): string | undefined => {
  const byComparable = new Map(known.map((name) => [comparable(name), name]));
  if (byComparable.size === 0) return undefined;
  const name = comparable(unknown);
  const nearest = closest(name, [...byComparable.keys()]);
  const maximumDistance = Math.ceil(nearest.length / 4);
  return distance(name, nearest) <= maximumDistance ? byComparable.get(nearest) : undefined;
};

const unknownFieldProblem = (
  key: string,
  { schema, path }: { schema: z.core.$ZodType; path: readonly PropertyKey[] },
): Problem => {
  const field = key.slice(0, maximumNamedKeyLength);
  const place = key.length > maximumNamedKeyLength ? path : [...path, key];
  const suggestion = suggestionFor(field, fieldNamesAt(schema, path));
  return problem('unknown_field', pointerTo(...place), {
    field,
    ...(suggestion !== undefined && { did_you_mean: suggestion }),
  });
};

const problemsOf = (issue: Issue, { schema, input, below }: Place): Problem[] => {
  const path = [...below, ...issue.path];
  const pointer = pointerTo(...path);
  const value = valueAt(input, path);
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.slice(0, maximumProblems);
    return keys.map((key) => unknownFieldProblem(key, { schema, path }));
  }
  if (value === undefined) return [problem('required', pointer)];
  if (value === inexactNumber) return [problem('number_not_exact', pointer)];
  if (isProblemCode(issue.message)) {
    return [problem(issue.message, pointer, paramsOf(issue))];
  }
  if (issue.code === 'invalid_union') {
    return problemsOfUnion(issue, { schema, input, below: path });
  }
  return [problem(codeByIssue[issue.code] ?? 'wrong_type', pointer, paramsOf(issue))];
};

/** The problems of the alternative with the right type, or else `wrong_type`. */
const problemsOfUnion = (issue: z.core.$ZodIssueInvalidUnion, place: Place): Problem[] => {
  const fitting = issue.errors.find((issues) =>
    issues.every(({ code, path }) => code !== 'invalid_type' || path.length > 0),
  );
  if (fitting) return fitting.flatMap((inner) => problemsOf(inner, place));
  const expected = issue.errors
    .flat()
    .flatMap((inner) => (inner.code === 'invalid_type' ? [inner.expected] : []));
  return [problem('wrong_type', pointerTo(...place.below), { expected: [...new Set(expected)] })];
};

const codeByIssue: Partial<Record<NonNullable<Issue['code']>, ProblemCode>> = {
  invalid_type: 'wrong_type',
  invalid_value: 'not_an_allowed_value',
  too_big: 'out_of_range',
  too_small: 'out_of_range',
};

const paramsOf = (issue: Issue): Problem['params'] => {
  if (issue.code === 'invalid_type') return { expected: issue.expected };
  if (issue.code === 'invalid_value') return { allowed: issue.values.map(String) };
  if (issue.code === 'too_big') return { maximum: Number(issue.maximum) };
  if (issue.code === 'too_small') return { minimum: Number(issue.minimum) };
  if (issue.code === 'custom') return issue.params as Problem['params'];
  return undefined;
};
