// The slice of a guard that `npm test` runs: a few cases, drawn by seed. `npm run test:proof` runs
// every case. vitest.config.ts sets both variables and prints the seed.

import { openRandom } from './builders/random.ts';

export const isWhole = process.env.GUARDS === 'whole';
export const sliceSeed = Number(process.env.SLICE_SEED ?? 1);

/** The cases to run: all of them under `test:proof`, else `count` of them in their order. */
export type Draw = <Case>(cases: readonly Case[], count: number) => Case[];

export const openSlice = (): Draw => {
  const random = openRandom(sliceSeed);
  return (cases, count) => {
    let wanted = isWhole ? cases.length : count;
    return cases.filter((_, index) => {
      const isDrawn = random.below(cases.length - index) < wanted;
      if (isDrawn) wanted -= 1;
      return isDrawn;
    });
  };
};
