// Differences between a tenant's entries and the items derived from them.

import type { JournalSeries } from '../entries/journal-entry.ts';

/** `what` names the item or field. It must be the same at each reading: it matches differences. */
export type Finding = { what: string; expected: string; found: string };

/** `date` and `series` are null if the difference is not on a day sheet. */
export type Difference = Finding & { date: string | null; series: JournalSeries | null };

/** Repaired differences are not in `differences`. */
export type Checked = { differences: Difference[]; repaired: Difference[] };

export const checkedAs = (found: Difference[], isRepaired: boolean): Checked =>
  isRepaired ? { differences: [], repaired: found } : { differences: found, repaired: [] };

/** The rows with different values. A row has a label, the expected and the found value. */
export const findingsIn = (
  rows: readonly (readonly [what: string, expected: unknown, found: unknown])[],
): Finding[] =>
  rows
    .map(([what, expected, found]) => ({ what, expected: String(expected), found: String(found) }))
    .filter(({ expected, found }) => expected !== found);

const identityOf = ({ date, series, what }: Difference): string => `${date} ${series} ${what}`;

/** The differences that both readings show. */
export const inBothReadings = (
  first: readonly Difference[],
  second: readonly Difference[],
): Difference[] => {
  const known = new Set(first.map(identityOf));
  return second.filter((it) => known.has(identityOf(it)));
};

/**
 * The differences that two readings show. Only these are real, because the items of a transaction
 * become visible one by one.
 */
export const inTwoReadings = async (
  list: () => Promise<Difference[]>,
  pause: () => Promise<unknown>,
): Promise<Difference[]> => {
  const first = await list();
  if (first.length === 0) return [];
  await pause();
  return inBothReadings(first, await list());
};

/** Sorts by date, series and `what`. */
export const sortDifferences = (differences: readonly Difference[]): Difference[] =>
  differences.toSorted((one, other) => (identityOf(one) < identityOf(other) ? -1 : 1));
