// What the entries of a tenant say, and what is found in their place.

import type { JournalSeries } from '#shared/domain/entries/journal-entry.ts';

/**
 * `what` names one thing on the sheet or of an entry, in words that are the same each time. What is
 * on no sheet has no date and no series.
 */
export type Difference = {
  date: string | null;
  series: JournalSeries | null;
  what: string;
  expected: string;
  found: string;
};

const identityOf = ({ date, series, what }: Difference): string => `${date} ${series} ${what}`;

/** Those of the differences that were there the time before too. */
export const lasting = (
  before: readonly Difference[],
  again: readonly Difference[],
): Difference[] => {
  const known = new Set(before.map(identityOf));
  return again.filter((it) => known.has(identityOf(it)));
};

/** In the order of date, series and what it is about. */
export const sorted = (differences: readonly Difference[]): Difference[] =>
  [...differences].sort((one, other) => (identityOf(one) < identityOf(other) ? -1 : 1));
