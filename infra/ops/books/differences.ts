// Differences between a tenant's entries and the items derived from them.

import type { JournalSeries } from '#shared/entries/journal-entry.ts';

/**
 * `what` names the item or field. It must be the same text at each reading, since differences are
 * matched by it. `date` and `series` are null if the difference is not on a day sheet.
 */
export type Difference = {
  date: string | null;
  series: JournalSeries | null;
  what: string;
  expected: string;
  found: string;
};

const identityOf = ({ date, series, what }: Difference): string => `${date} ${series} ${what}`;

/** The differences that both readings show. */
export const inBothReadings = (
  first: readonly Difference[],
  second: readonly Difference[],
): Difference[] => {
  const known = new Set(first.map(identityOf));
  return second.filter((it) => known.has(identityOf(it)));
};

/** Sorts by date, series and `what`. */
export const sortDifferences = (differences: readonly Difference[]): Difference[] =>
  [...differences].sort((one, other) => (identityOf(one) < identityOf(other) ? -1 : 1));
