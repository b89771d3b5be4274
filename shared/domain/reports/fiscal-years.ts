// Fiscal years: when the one of a date began.

import { addDays, isCalendarDate } from '../dates.ts';

/** The end of the fiscal year that ends in a calendar year. */
const endIn = (year: number, yearEnd: string): string => {
  const date = `${String(year).padStart(4, '0')}-${yearEnd}`;
  // 02-29 stands for the last day of February, whether or not the year is a leap year.
  return isCalendarDate(date) ? date : date.replace(/\d{2}$/, '28');
};

/**
 * The first day of the fiscal year that a date is in.
 * @param options.yearEnd the last day of every fiscal year, MM-DD
 */
export const fiscalYearStartOf = ({ date, yearEnd }: { date: string; yearEnd: string }): string => {
  const year = Number(date.slice(0, 4));
  const endedIn = date <= endIn(year, yearEnd) ? year - 1 : year;
  // There is no date before 0001-01-01: addDays stops there.
  return addDays(endIn(endedIn, yearEnd), 1);
};
