// What a report of a connected company covers: the company's whole books, or only its journals.

import * as z from 'zod/mini';
import { addDays, lastDate } from '../money/dates.ts';
import { fiscalYearStartOf } from '../tenants/financial-year.ts';
import { ComparedDay } from './balance-days.ts';

/**
 * The last comparison of a tenant's books with its platform's trial balances. `days` are in order.
 * `reason` says why nothing could be compared. `yearEnd` is the last day of the platform's fiscal
 * year, MM-DD.
 */
export const Comparison = z.object({
  checkedAt: z.nullable(z.string()),
  completeAt: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  yearEnd: z.string(),
  lastDay: z.nullable(z.string()),
  days: z.array(ComparedDay),
});
export type Comparison = z.infer<typeof Comparison>;

export const noComparison: Comparison = {
  checkedAt: null,
  completeAt: null,
  reason: null,
  yearEnd: '12-31',
  lastDay: null,
  days: [],
};

/** The comparison in an item. Without one, nothing was compared yet. */
export const comparisonOf = (item: object | undefined): Comparison =>
  item === undefined ? noComparison : Comparison.parse(item);

type Coverage = {
  coverage: 'all_entries' | 'platform_balances' | 'journals_only';
  covered_from: string | null;
  covered_to: string | null;
  checked_at: string | null;
};

/** The first and last days on which the books agree with the platform, up to a date. */
const agreedUntil = ({ days }: Comparison, to: string) => {
  const agreed = days.filter((day) => day.reason === null && day.date <= to);
  return { first: agreed[0]?.date, last: agreed.at(-1)?.date };
};

/**
 * Whether the movements from this date on are complete: it follows a day on which the books agree,
 * or begins the fiscal year of the first such day.
 */
const isWholeFrom = (from: string | undefined, comparison: Comparison): boolean => {
  if (from === undefined) return true;
  const before = addDays(from, -1);
  if (comparison.days.some((day) => day.reason === null && day.date === before)) return true;
  const { first } = agreedUntil(comparison, lastDate);
  return (
    first !== undefined && from === fiscalYearStartOf({ date: first, yearEnd: comparison.yearEnd })
  );
};

/** A period of a report, without `from` if it only has balances. */
export type CoveredPeriod = { from?: string | undefined; to: string };

/**
 * The coverage of a report with these columns. Each column has a period.
 * @param comparison undefined if the tenant was never connected
 */
export const coverageOf = (
  comparison: Comparison | undefined,
  periods: readonly CoveredPeriod[],
): Coverage => {
  if (comparison === undefined) {
    return { coverage: 'all_entries', covered_from: null, covered_to: null, checked_at: null };
  }
  const isCovered = ({ from, to }: CoveredPeriod): boolean =>
    agreedUntil(comparison, to).last === to && isWholeFrom(from, comparison);
  const end =
    periods
      .map(({ to }) => to)
      .toSorted()
      .at(-1) ?? '';
  const { first = null, last = null } = agreedUntil(comparison, end);
  return {
    coverage: periods.every(isCovered) ? 'platform_balances' : 'journals_only',
    covered_from: first,
    covered_to: last,
    checked_at: comparison.checkedAt,
  };
};
