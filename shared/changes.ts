// The fields that a request to change something names.

import { type Problem, problem } from './errors.ts';

/** Drops the fields that are `undefined`. */
export const changesIn = <Fields extends object>(
  fields: Fields,
): { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> } =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields> as ReturnType<typeof changesIn<Fields>>;

/**
 * Refuses a request without any change, because it is probably a mistake.
 * @param allowed the changeable fields, by their names in requests
 */
export const problemsOfNoChange = (changes: object, allowed: readonly string[]): Problem[] =>
  Object.keys(changes).length > 0
    ? []
    : [problem('nothing_to_change', '', { allowed: [...allowed] })];
