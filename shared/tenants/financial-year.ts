// Fiscal years. Their last day is MM-DD; 02-29 means the last day of February.

import { addDays, isCalendarDate } from '../money/dates.ts';

/** The default: the calendar year. */
export const usualFinancialYearEnd = '12-31';

/** Any leap year, so that 02-29 is valid. */
const leapYear = 2000;

export const isFinancialYearEnd = (text: string): boolean => isCalendarDate(`${leapYear}-${text}`);

const padded = (part: number): string => String(part).padStart(2, '0');

/**
 * The last day of a fiscal year from a platform's month (1 to 12) and day. Missing or invalid
 * values give the default. 28 February is the last day of the month: a platform has one day for all
 * years, and no fiscal year starts on a leap day.
 */
export const financialYearEndOn = ({ month, day }: { month: unknown; day: unknown }): string => {
  const isPair = Number.isInteger(month) && Number.isInteger(day);
  const end = isPair ? `${padded(Number(month))}-${padded(Number(day))}` : usualFinancialYearEnd;
  if (end === '02-28') return '02-29';
  return isFinancialYearEnd(end) ? end : usualFinancialYearEnd;
};

/** The last day of a fiscal year that starts with this month (1 to 12). */
export const financialYearEndBefore = (month: number | undefined): string => {
  if (month === undefined || !Number.isInteger(month) || month < 1 || month > 12) {
    return usualFinancialYearEnd;
  }
  const lastDay = new Date(Date.UTC(leapYear, month - 1, 0));
  return `${padded(lastDay.getUTCMonth() + 1)}-${padded(lastDay.getUTCDate())}`;
};

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
