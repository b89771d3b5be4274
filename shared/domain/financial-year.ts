// The end of a fiscal year: a day of every calendar year, MM-DD. 02-29 is the last of February.

import { isCalendarDate } from './dates.ts';

/** That of a company which says nothing of it: the calendar year's. */
export const usualFinancialYearEnd = '12-31';

/** A year with every day that any year has. */
const leapYear = 2000;

/** Whether the text is a day of the calendar, MM-DD. */
export const isFinancialYearEnd = (text: string): boolean => isCalendarDate(`${leapYear}-${text}`);

const padded = (part: number): string => String(part).padStart(2, '0');

/**
 * The last day of a fiscal year, as a platform gives it: a month from 1 to 12 and a day of it. What
 * is none, or is missing, is taken for the calendar year's.
 */
export const financialYearEndOn = ({ month, day }: { month: unknown; day: unknown }): string => {
  const isPair = Number.isInteger(month) && Number.isInteger(day);
  const end = isPair ? `${padded(Number(month))}-${padded(Number(day))}` : usualFinancialYearEnd;
  return isFinancialYearEnd(end) ? end : usualFinancialYearEnd;
};

/** The last day of a fiscal year that begins with a month from 1 to 12. */
export const financialYearEndBefore = (month: number | undefined): string => {
  if (month === undefined || !Number.isInteger(month) || month < 1 || month > 12) {
    return usualFinancialYearEnd;
  }
  const lastDay = new Date(Date.UTC(leapYear, month - 1, 0));
  return `${padded(lastDay.getUTCMonth() + 1)}-${padded(lastDay.getUTCDate())}`;
};

const monthNames = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september'],
  ...['october', 'november', 'december'],
];

/** The month from 1 to 12 that an English name stands for; `undefined` where it is none. */
export const monthNamed = (name: unknown): number | undefined => {
  const place = typeof name === 'string' ? monthNames.indexOf(name.trim().toLowerCase()) : -1;
  return place < 0 ? undefined : place + 1;
};
