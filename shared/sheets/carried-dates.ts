// The dates whose totals are carried forward: ends of months, and the 10th and 20th of a month.

import { addDays, isCalendarDate } from '../money/dates.ts';

/**
 * The dates with carried totals, in order: ends of months, and at most one later date. The totals
 * include this date and all earlier ones.
 */
export type CarriedDates = readonly string[];

/** As YYYY-MM. */
export const monthOf = (date: string): string => date.slice(0, 7);

export const monthsOf = (sheets: readonly { date: string }[]): string[] => [
  ...new Set(sheets.map(({ date }) => monthOf(date))),
];

export const monthEndOf = (date: string): string => {
  const days = ['31', '30', '29', '28'].map((day) => `${monthOf(date)}-${day}`);
  return days.find(isCalendarDate) ?? date;
};

export const isMonthEnd = (date: string): boolean => date === monthEndOf(date);

/** Before this many days have passed, most entries of a date are not posted yet. */
const carriedAfterDays = 14;

/** The last date that is carried on this day: the 10th, the 20th or the last day of a month. */
export const lastDateToCarry = (today: string): string => {
  const date = addDays(today, -carriedAfterDays);
  if (isMonthEnd(date)) return date;
  const day = ['20', '10'].find((it) => it <= date.slice(8));
  return day === undefined ? addDays(`${monthOf(date)}-01`, -1) : `${monthOf(date)}-${day}`;
};

/** Whether a date can be carried. The week of difference is for clocks that disagree. */
export const canBeCarried = (date: string, today: string): boolean =>
  date < addDays(today, 7 - carriedAfterDays);

/** The last carried date before this one; `undefined` if there is none. */
export const carriedBefore = (date: string, dates: CarriedDates): string | undefined =>
  dates.findLast((carried) => carried < date);
