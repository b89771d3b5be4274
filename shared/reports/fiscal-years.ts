// Computes the start of the fiscal year of a date.

import { addDays, isCalendarDate } from '../money/dates.ts';

/** The last day of the fiscal year that ends in a calendar year. */
const endIn = (year: number, yearEnd: string): string => {
  const date = `${String(year).padStart(4, '0')}-${yearEnd}`;
  // 02-29 means the last day of February, also in common years.
  return isCalendarDate(date) ? date : date.replace(/\d{2}$/, '28');
};

/**
 * The first day of the fiscal year that contains a date.
 * @param options.yearEnd the last day of the fiscal year, MM-DD
 */
export const fiscalYearStartOf = ({ date, yearEnd }: { date: string; yearEnd: string }): string => {
  const year = Number(date.slice(0, 4));
  const endedIn = date <= endIn(year, yearEnd) ? year - 1 : year;
  // addDays stops at 0001-01-01, the first date.
  return addDays(endIn(endedIn, yearEnd), 1);
};
