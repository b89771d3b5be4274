// Turns what a schema found into the problems that a reply lists.

import { closest, distance } from 'fastest-levenshtein';
import * as z from 'zod/mini';
import { maximumProblems, type Problem, pointerTo, problem } from '../errors.ts';
import { type ProblemCode, problems } from '../problem-codes.ts';

/** Stands in a parsed body for a number that a float cannot hold. No schema takes a symbol. */
export const inexactNumber = Symbol('a number that a float cannot hold');

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const definitionOf = (schema: z.core.$ZodType) =>
  (schema._zod as { def: z.core.$ZodTypes['_zod']['def'] }).def;

/** The names of the fields that an object of the schema at this path may have. */
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
 * The input without the optional fields that are null. Null means absent: replies have it, and what
 * a caller read may be sent again. A field that is required, or unknown, stays and is named.
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

/** The most items that a list of this schema may have. */
const maximumItemsOf = ({ checks = [] }: z.core.$ZodTypeDef): number => {
  const definitions = checks.map((check) => check._zod.def);
  const isMaximum = (def: z.core.$ZodCheckDef): def is z.core.$ZodCheckMaxLengthDef =>
    def.check === 'max_length';
  return Math.min(...definitions.filter(isMaximum).map(({ maximum }) => maximum));
};

/** A list that is longer than its maximum, and those of its items beyond it that are looked at. */
type LongList = {
  path: readonly PropertyKey[];
  maximum: number;
  element: z.core.$ZodType;
  further: unknown[];
};

/**
 * The input with no list that is longer than its maximum, and the lists that are. Of a longer list
 * as many items again are looked at as it may have. The schema puts what it finds in all items on
 * the stack at once, which ends with a hundred thousand of them, and it does not look at every
 * rule of what is in a list that is too long.
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

export type Validated<Value> =
  | { valid: true; value: Value }
  | { valid: false; problems: Problem[] };

/**
 * Checks a request part against its schema and names every problem: first the lists that are too
 * long, then the others in the order of the schema.
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

/** The fields of a request that are as its schema wants them, whatever is wrong with others. */
export const validFieldsOf = <Shape extends z.core.$ZodShape>(
  schema: z.ZodMiniObject<Shape>,
  input: unknown,
): Partial<z.output<z.ZodMiniObject<Shape>>> => {
  const given = isRecord(input) ? input : {};
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const parsed = z.safeParse(field, given[name]);
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

/** A longer key is not sent back whole: the reply then points at what holds it. */
const maximumNamedKeyLength = 100;

const isProblemCode = (text: string): text is ProblemCode => Object.hasOwn(problems, text);

/** How a name is compared: `transaction_currency` is meant for `transactionCurrency`. */
const comparable = (name: string): string => name.replace(/[-_\s]/g, '').toLowerCase();

/** The known field that an unknown one is most likely meant for, if one is close enough. */
const suggestionFor = (unknown: string, known: readonly string[]): string | undefined => {
  const byComparable = new Map(known.map((name) => [comparable(name), name]));
  if (byComparable.size === 0) return undefined;
  const asked = comparable(unknown);
  const nearest = closest(asked, [...byComparable.keys()]);
  const maximumDistance = Math.ceil(nearest.length / 4);
  return distance(asked, nearest) <= maximumDistance ? byComparable.get(nearest) : undefined;
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

/** Of a union, the alternative whose type fits speaks; where none fits, the type is wrong. */
const problemsOfUnion = (issue: z.core.$ZodIssueInvalidUnion, place: Place): Problem[] => {
  const fitting = issue.errors.find((found) =>
    found.every(({ code, path }) => code !== 'invalid_type' || path.length > 0),
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
