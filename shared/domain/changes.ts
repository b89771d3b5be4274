// What a request that changes something names of it: some fields, and no others.

import { type Problem, problem } from '../errors.ts';

/** The fields that a request names, without those that it leaves out. */
export const changesIn = <Named extends object>(
  named: Named,
): { [Field in keyof Named]?: Exclude<Named[Field], undefined> } =>
  Object.fromEntries(
    Object.entries(named).filter(([, value]) => value !== undefined),
  ) as Partial<Named> as ReturnType<typeof changesIn<Named>>;

/**
 * A request that names no change is not what its caller meant.
 * @param allowed the fields that can be changed, as requests call them
 */
export const problemsOfNoChange = (named: object, allowed: readonly string[]): Problem[] =>
  Object.keys(named).length > 0
    ? []
    : [problem('nothing_to_change', '', { allowed: [...allowed] })];
