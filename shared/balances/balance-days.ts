// The days on which a platform's trial balance is compared with the books: ends of months, and the
// last day.

import * as z from 'zod/mini';
import { addDays, dateOf } from '../money/dates.ts';
import { isMonthEnd, monthEndOf } from '../sheets/carried-dates.ts';

/** The number of completed months that are read. The end of the month before is the opening. */
const months = 24;

/** An incremental import reads at least this number of completed months. */
const recentMonths = 3;

/** All months are read again after this time, because some changes appear in no list. */
const completeAfterDays = 7;

const halfDayMilliseconds = 12 * 60 * 60_000;

const monthEndBefore = (date: string): string => addDays(`${date.slice(0, 7)}-01`, -1);

/**
 * The end of the last month that is over in every time zone. Platforms have the dates of the
 * company's time zone, which need not be known then.
 */
const lastMonthEnd = (now: Date): string =>
  monthEndBefore(dateOf(new Date(now.getTime() - halfDayMilliseconds)));

/** The ends of months that a complete comparison covers, in order. The first is the opening. */
export const monthEndsAt = (now: Date): string[] => {
  const dates = [lastMonthEnd(now)];
  while (dates.length <= months) dates.push(monthEndBefore(dates.at(-1) ?? ''));
  return dates.reverse();
};

/** A day that was compared. `reason` says why it does not agree; null if it does. */
export const ComparedDay = z.object({ date: z.string(), reason: z.nullable(z.string()) });
export type ComparedDay = z.infer<typeof ComparedDay>;

/**
 * The ends of months to read now: all of them, or those that may have changed.
 * @param before the last comparison
 * @param changedFrom the first date of a journal that this import has recorded or reversed
 */
export const monthEndsToRead = (
  now: Date,
  before: { completeAt: string | null; days: readonly ComparedDay[] },
  { changedFrom, isComplete }: { changedFrom: string | null; isComplete: boolean },
): string[] => {
  const all = monthEndsAt(now);
  const isStale =
    before.completeAt === null || before.completeAt < addDays(dateOf(now), -completeAfterDays);
  if (isComplete || isStale) return all;
  const agreed = new Set(before.days.filter((day) => day.reason === null).map(({ date }) => date));
  const recent = new Set(all.slice(-recentMonths));
  const isChanged = (date: string) => changedFrom !== null && monthEndOf(changedFrom) <= date;
  return all.filter((date) => recent.has(date) || !agreed.has(date) || isChanged(date));
};

/** Whether a comparison on this day stays: those of other days are replaced by the next. */
export const isKept = ({ date }: ComparedDay, lastDay: string): boolean =>
  isMonthEnd(date) || date === lastDay;
