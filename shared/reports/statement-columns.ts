// The columns of a financial statement: its own period, the one that it is compared with, and the
// months. All have the same accounts, in the same sections.

import { type Problem, problem } from '../errors.ts';
import { addDays, addYears, daysBetween, earlierOf } from '../money/dates.ts';
import { isMonthEnd, monthEndOf, monthOf } from '../sheets/carried-dates.ts';
import { fiscalYearStartOf } from '../tenants/financial-year.ts';

export const comparisons = ['previous_year', 'previous_period'] as const;
export type Comparison = (typeof comparisons)[number];

export const columnLengths = ['month'] as const;

/** The columns that a request asks for, besides the period itself. */
export type ColumnChoice = {
  compare?: Comparison | undefined;
  columns?: (typeof columnLengths)[number] | undefined;
};

/** Each month takes a read of the carried totals of its end. */
export const maximumMonths = 12;

export type StatementPeriod = { from: string; to: string };

const monthStartOf = (date: string): string => `${monthOf(date)}-01`;

/** The same day of an earlier year. The end of a month stays one. */
const yearBefore = (date: string): string => {
  const moved = addYears(date, -1);
  return isMonthEnd(date) ? monthEndOf(moved) : moved;
};

/** The first day of the month that is so many months earlier. */
const monthsBefore = (date: string, months: number): string => {
  let start = monthStartOf(date);
  for (let month = 0; month < months; month += 1) start = monthStartOf(addDays(start, -1));
  return start;
};

const monthCountOf = ({ from, to }: StatementPeriod): number => {
  const [first, last] = [from, to].map(
    (date) => 12 * Number(date.slice(0, 4)) + Number(date.slice(5, 7)),
  );
  return (last ?? 0) - (first ?? 0) + 1;
};

/** As long as the period, and before it. Whole months are compared with as many whole months. */
const periodBefore = (period: StatementPeriod): StatementPeriod => {
  const { from, to } = period;
  const end = addDays(from, -1);
  const isOfMonths = from === monthStartOf(from) && isMonthEnd(to);
  return {
    from: isOfMonths
      ? monthsBefore(from, monthCountOf(period))
      : addDays(end, -daysBetween({ from, to })),
    to: end,
  };
};

/** The months of a period. The first and the last one can be parts of months. */
const monthsIn = ({ from, to }: StatementPeriod): StatementPeriod[] => {
  const months: StatementPeriod[] = [];
  for (let start = from; start <= to; start = addDays(monthEndOf(start), 1)) {
    months.push({ from: start, to: earlierOf(monthEndOf(start), to) });
  }
  return months;
};

/** The periods of the columns: the period, its comparison, and its months. */
export type PeriodsOfColumns = { periods: StatementPeriod[]; problems: Problem[] };

/**
 * The columns of a statement of what happened in a period. A request can omit the first date, which
 * is then that of the fiscal year; so only this function can check the length of the period.
 */
export const columnsOfPeriod = (
  { from: first, to, compare, columns }: ColumnChoice & { from?: string | undefined; to: string },
  yearEnd: string,
): PeriodsOfColumns => {
  const from = first ?? fiscalYearStartOf({ date: to, yearEnd });
  const period = { from, to };
  if (from > to) return { periods: [], problems: [problem('from_after_to', '/from', period)] };
  const months = columns === undefined ? 0 : monthCountOf(period);
  if (months > maximumMonths) {
    const params = { columns: months, maximum: maximumMonths };
    return { periods: [], problems: [problem('too_many_columns', '/columns', params)] };
  }
  const compared =
    compare === 'previous_year'
      ? { from: yearBefore(from), to: yearBefore(to) }
      : periodBefore(period);
  return {
    periods: [
      period,
      ...(compare === undefined ? [] : [compared]),
      ...(columns === undefined ? [] : monthsIn(period)),
    ],
    problems: [],
  };
};

/**
 * The columns of a balance sheet: the fiscal years up to its dates. The months are those of its
 * fiscal year, and the previous period is the fiscal year before (IAS 34.20).
 */
export const columnsOfDate = (
  { date, compare, columns }: ColumnChoice & { date: string },
  yearEnd: string,
): PeriodsOfColumns => {
  const yearTo = (to: string) => ({ from: fiscalYearStartOf({ date: to, yearEnd }), to });
  const period = yearTo(date);
  const before = compare === 'previous_year' ? yearBefore(date) : addDays(period.from, -1);
  return {
    periods: [
      period,
      ...(compare === undefined ? [] : [yearTo(before)]),
      ...(columns === undefined ? [] : monthsIn(period).map(({ to }) => ({ ...period, to }))),
    ],
    problems: [],
  };
};

const hasAmount = (part: unknown): boolean =>
  typeof part === 'bigint'
    ? part !== 0n
    : typeof part === 'object' && part !== null && Object.values(part).some(hasAmount);

const shownParts = (parts: readonly unknown[]): unknown[] => {
  const [first] = parts;
  if (typeof first !== 'object' || first === null) return [...parts];
  const all = parts as Record<string, unknown>[];
  const shown = Object.keys(first)
    .filter((key) => !Array.isArray(first) || all.some((part) => hasAmount(part[key])))
    .map((key) => {
      const values = all.map((part) => part[key]);
      return [key, key === 'account' ? values : shownParts(values)] as const;
    });
  return all.map((_, column) => {
    const pairs = shown.map(([key, values]) => [key, values[column]] as const);
    return Array.isArray(first) ? pairs.map(([, value]) => value) : Object.fromEntries(pairs);
  });
};

/**
 * Leaves out the accounts whose amounts are zero in all columns, and sections without accounts.
 * @param columns statements of the same accounts
 */
export const withoutZeros = <Statement>(columns: readonly Statement[]): Statement[] =>
  shownParts(columns) as Statement[];
