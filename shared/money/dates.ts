// Calendar dates as YYYY-MM-DD, in the proleptic Gregorian calendar. Days start at 00:00 UTC. Also
// elapsed time, by a clock that can jump.

const pattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const millisecondsPerDay = 86_400_000;

/** Whether the text is an existing date from 0001-01-01 to 9999-12-31. */
export const isCalendarDate = (text: string): boolean => {
  if (!pattern.test(text) || text.startsWith('0000')) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
};

/** The UTC date of an instant. */
export const dateOf = (moment: Date): string => moment.toISOString().slice(0, 10);

export const firstDate = '0001-01-01';
export const lastDate = '9999-12-31';
const [firstDay, lastDay] = [Date.parse(firstDate), Date.parse(lastDate)];

/** Adds days to a date, limited to 0001-01-01 and 9999-12-31. */
export const addDays = (date: string, days: number): string => {
  const moved = Date.parse(`${date}T00:00:00Z`) + days * millisecondsPerDay;
  return dateOf(new Date(Math.min(Math.max(moved, firstDay), lastDay)));
};

/** Adds years to a date. 29 February becomes 28 February in a common year. */
export const addYears = (date: string, years: number): string => {
  const year = Number(date.slice(0, 4)) + years;
  if (year < 1) return firstDate;
  if (year > 9999) return lastDate;
  const moved = `${String(year).padStart(4, '0')}${date.slice(4)}`;
  return isCalendarDate(moved) ? moved : `${moved.slice(0, 8)}28`;
};

export const earlierOf = (...dates: [string, string]): string =>
  dates[0] < dates[1] ? dates[0] : dates[1];

/** The number of days from one date to another; negative if `to` is earlier. */
export const daysBetween = ({ from, to }: { from: string; to: string }): number =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / millisecondsPerDay;

const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** The number (1 to 12) of an English month name; `undefined` for other values. */
export const monthNamed = (name: unknown): number | undefined => {
  const index = typeof name === 'string' ? monthNames.indexOf(name.trim().toLowerCase()) : -1;
  return index < 0 ? undefined : index + 1;
};

/**
 * Whether less time than this has passed. False if `since` is further in the future: then the clock
 * has jumped back, and waiting for it would take too long.
 */
export const isWithin = (
  milliseconds: number,
  { since, now }: { since: number; now: number },
): boolean => Math.abs(now - since) < milliseconds;
