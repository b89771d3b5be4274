// Updates that set some fields of an item and leave the others as they are.

import type { UpdateAction } from './table.ts';

export type Fields = Record<string, unknown>;

/**
 * The part of an update that sets fields, and removes those that are undefined.
 * @param initial fields that are set where the item does not have them
 */
export const settingOf = (
  fields: Fields,
  initial: Fields = {},
): Required<Pick<UpdateAction, 'expression' | 'names' | 'values'>> => {
  const isGiven = ([, value]: [string, unknown]): boolean => value !== undefined;
  const set = Object.entries(fields).filter(isGiven);
  const removed = Object.entries(fields).filter((field) => !isGiven(field));
  const first = Object.entries(initial).filter(isGiven);
  const assignments = [
    ...set.map(([field]) => `#${field} = :${field}`),
    ...first.map(([field]) => `#${field} = if_not_exists(#${field}, :${field})`),
  ];
  const removal = removed.map(([field]) => `#${field}`).join(', ');
  return {
    expression: `SET ${assignments.join(', ')}${removal && ` REMOVE ${removal}`}`,
    names: Object.fromEntries(
      [...set, ...first, ...removed].map(([field]) => [`#${field}`, field]),
    ),
    values: Object.fromEntries([...set, ...first].map(([field, value]) => [`:${field}`, value])),
  };
};
