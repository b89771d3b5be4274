// Updates of some fields of an item.

import type { Key } from './keys.ts';
import { type Item, ifExists, type PutAction, type UpdateAction } from './table.ts';

export type Fields = Record<string, unknown>;

export type FieldUpdate = {
  /** The new values. An undefined field is removed. */
  set?: Fields;
  /** Values for fields that the item does not have. Undefined values are ignored. */
  initial?: Fields;
  /** Counters that increase by one. A missing counter counts as zero. */
  increment?: readonly string[];
  /** The update requires that the item has these values. An undefined field must be missing. */
  expected?: Fields;
  /** A further condition. It can use any field as `#field` and the values of `set` as `:field`. */
  condition?: string;
  /** Further values of the condition. */
  values?: Item;
};

const isDefined = ([, value]: [string, unknown]): boolean => value !== undefined;

const clause = (keyword: string, parts: readonly string[]): string[] =>
  parts.length === 0 ? [] : [`${keyword} ${parts.join(', ')}`];

const conditionOf = ({ expected = {}, condition }: FieldUpdate): string =>
  [
    ...(condition === undefined ? [] : [`(${condition})`]),
    ...Object.entries(expected).map(([field, value]) =>
      value === undefined ? `attribute_not_exists(#${field})` : `#${field} = :expected_${field}`,
    ),
  ].join(' AND ');

/** The action that updates fields of one item and leaves the others unchanged. */
export const updateAction = (update: Key, change: FieldUpdate): UpdateAction => {
  const { increment = [] } = change;
  const fields = Object.entries(change.set ?? {});
  const set = fields.filter(isDefined);
  const removed = fields.filter((field) => !isDefined(field)).map(([field]) => field);
  const initial = Object.entries(change.initial ?? {}).filter(isDefined);
  const expected = Object.entries(change.expected ?? {});
  const named = [...fields, ...initial, ...expected].map(([field]) => field);
  const inCondition = (change.condition?.match(/#\w+/g) ?? []).map((name) => name.slice(1));
  const values: Item = {
    ...Object.fromEntries([...set, ...initial].map(([field, value]) => [`:${field}`, value])),
    ...Object.fromEntries(
      expected.filter(isDefined).map(([field, value]) => [`:expected_${field}`, value]),
    ),
    ...(increment.length > 0 && { ':zero': 0, ':one': 1 }),
    ...change.values,
  };
  const condition = conditionOf(change);
  return {
    update,
    expression: [
      ...clause('SET', [
        ...set.map(([field]) => `#${field} = :${field}`),
        ...initial.map(([field]) => `#${field} = if_not_exists(#${field}, :${field})`),
        ...increment.map((field) => `#${field} = if_not_exists(#${field}, :zero) + :one`),
      ]),
      ...clause(
        'REMOVE',
        removed.map((field) => `#${field}`),
      ),
    ].join(' '),
    ...(condition !== '' && { condition }),
    names: Object.fromEntries(
      [...named, ...increment, ...inCondition].map((field) => [`#${field}`, field]),
    ),
    ...(Object.keys(values).length > 0 && { values }),
  };
};

/** Replaces an item if it still has these fields. An undefined field must be missing. */
export const replaceAction = (put: Item, expected: Fields): PutAction => ({
  put,
  condition: conditionOf({ condition: ifExists, expected }),
  names: Object.fromEntries(Object.keys(expected).map((field) => [`#${field}`, field])),
  values: Object.fromEntries(
    Object.entries(expected)
      .filter(isDefined)
      .map(([field, value]) => [`:expected_${field}`, value]),
  ),
});
