// The fields that a request to change something names.

import { type Problem, problem } from '../errors.ts';

/** Drops the fields that are `undefined`. */
export const changesIn = <Named extends object>(
  named: Named,
): { [Field in keyof Named]?: Exclude<Named[Field], undefined> } =>
  Object.fromEntries(
    Object.entries(named).filter(([, value]) => value !== undefined),
  ) as Partial<Named> as ReturnType<typeof changesIn<Named>>;

/**
 * Refuses a request without any change, which is probably a mistake.
 * @param allowed the changeable fields, by their names in requests
 */
export const problemsOfNoChange = (named: object, allowed: readonly string[]): Problem[] =>
  Object.keys(named).length > 0
    ? []
    : [problem('nothing_to_change', '', { allowed: [...allowed] })];
