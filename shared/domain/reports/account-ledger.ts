// The ledger of an account: its lines in the order of their posting dates, with the balance after
// each of them.
//
// The sheets say what the account came to on every date, so the balance at the beginning of any
// date is known without the entries before it. They are read one after the other with the dates
// that are shown: what is posted after the sheets were read does not count in a reply.

import * as z from 'zod/mini';
import { isCalendarDate } from '../dates.ts';
import { bookRowTextsOf, type DatedSheetText } from '../entries/day-sheet.ts';
import {
  type EntryPlace,
  type JournalEntry,
  type JournalLine,
  type JournalSeries,
  journalSeries,
} from '../entries/journal-entry.ts';
import { formatHundredths, hundredthsOf } from '../hundredths.ts';
import { balanceOf, noSides, plus, type Sides } from './sheet-sums.ts';

/** How many entries of each series count. */
export type Counted = Record<JournalSeries, number>;

/** A date on which an account moved, as the date's sheets say. */
export type MovedDay = {
  date: string;
  /** What the account came to on the date. */
  total: Sides;
  counted: Counted;
  /** How many entries are filed under the date. */
  filed: number;
};

/** The days are those of the period; opening and closing are signed, debit positive. */
export type AccountHistory = { opening: bigint; days: MovedDay[]; closing: bigint };

/** @param sheets those up to the last date, in the order of date and series */
export const accountHistoryOf = (
  sheets: readonly DatedSheetText[],
  { account, from }: { account: string; from: string },
): AccountHistory => {
  const days = new Map<string, MovedDay & { moved: boolean }>();
  let [opening, closing] = [0n, 0n];
  for (const { date, series, rows, counted, lastSequence } of sheets) {
    const row = bookRowTextsOf(rows, account);
    const total = row ? { debit: hundredthsOf(row[2]), credit: hundredthsOf(row[3]) } : noSides;
    closing += balanceOf(total);
    if (date < from) {
      opening = closing;
      continue;
    }
    const none = { date, total: noSides, counted: { IJ: 0, MJ: 0 }, filed: 0, moved: false };
    const day = days.get(date) ?? none;
    days.set(date, {
      date,
      total: plus(day.total, total),
      counted: { ...day.counted, [series]: counted },
      filed: day.filed + lastSequence,
      moved: day.moved || row !== undefined,
    });
  }
  const moved = [...days.values()].filter((day) => day.moved);
  return { opening, days: moved.map(({ moved: _, ...day }) => day), closing };
};

/**
 * Where an entry stands among what counts on a date: first those that are filed under the date,
 * then those with an accrual date, each in the order of their numbers.
 */
export type PlaceInDay = EntryPlace & { isAccrual: boolean };

export type PlacedEntry = { place: PlaceInDay; entry: JournalEntry };

const whole = z.string().check(z.regex(/^\d{1,30}\.\d{2}$/));
const date = z.string().check(z.refine(isCalendarDate));
const number = z.int().check(z.minimum(0), z.maximum(999_999_999));

/**
 * After what a page begins: after a date, or within it. There it goes on with what counted when the
 * date was begun, and `debit` and `credit` are what was still to come of it.
 */
export const LedgerPosition = z.strictObject({
  date,
  within: z.optional(
    z.strictObject({
      place: z.strictObject({
        isAccrual: z.boolean(),
        date,
        series: z.enum(journalSeries),
        sequence: number,
      }),
      /** The last line of that entry that was shown; 0 where none was. */
      line: number,
      counted: z.strictObject({ IJ: number, MJ: number }),
      debit: whole,
      credit: whole,
    }),
  ),
});
export type LedgerPosition = z.infer<typeof LedgerPosition>;

/** What is to be shown of a date, and the balance before it. */
export type DayToShow = {
  date: string;
  balance: bigint;
  rest: Sides;
  counted: Counted;
  filed: number;
  /** Where it begins; at the beginning of the date where this is left out. */
  after?: { place: PlaceInDay; line: number };
};

/**
 * The rest of a date that another page has begun. What has come to count on it since then is in the
 * balance before the rest, and not among the lines: some of it stands before them.
 */
const restOfDay = (
  shown: DayToShow,
  { place, line, counted, ...left }: NonNullable<LedgerPosition['within']>,
): DayToShow | undefined => {
  const rest = { debit: hundredthsOf(left.debit), credit: hundredthsOf(left.credit) };
  const isPossible =
    (place.isAccrual || place.date === shown.date) &&
    journalSeries.every((series) => counted[series] <= shown.counted[series]) &&
    rest.debit <= shown.rest.debit &&
    rest.credit <= shown.rest.credit;
  const balance = shown.balance + balanceOf(shown.rest) - balanceOf(rest);
  return isPossible ? { ...shown, counted, rest, balance, after: { place, line } } : undefined;
};

/** What is to be shown from a position on; `undefined` where no page can have ended there. */
export const daysToShow = (
  { opening, days }: AccountHistory,
  position: LedgerPosition | undefined,
): DayToShow[] | undefined => {
  let balance = opening;
  const all = days.map(({ total, ...day }): DayToShow => {
    const shown = { ...day, rest: total, balance };
    balance += balanceOf(total);
    return shown;
  });
  if (position === undefined) return all;
  const place = all.findIndex((day) => day.date === position.date);
  const day = all[place];
  if (day === undefined) return undefined;
  const after = all.slice(place + 1);
  if (position.within === undefined) return after;
  const rest = restOfDay(day, position.within);
  return rest && [rest, ...after];
};

/** Whether an entry that stands in this place of a date is one of those that count. */
export const isCounted = (
  { place, entry }: PlacedEntry,
  { date: postingDate, counted }: Pick<DayToShow, 'date' | 'counted'>,
): boolean =>
  entry.postingDate === postingDate &&
  (entry.accrualDate !== null) === place.isAccrual &&
  entry.postingSequence !== null &&
  entry.postingSequence <= counted[place.series];

export const isSamePlace = (one: PlaceInDay, other: PlaceInDay): boolean =>
  one.isAccrual === other.isAccrual &&
  one.date === other.date &&
  one.series === other.series &&
  one.sequence === other.sequence;

/** A line with the entry that it is of, and the balance after it. */
export type LedgerLine = { entry: JournalEntry; line: JournalLine; balance: bigint };

/** Lines of a date, what is left of it after them, and where the room ended, if it did. */
type Shown = { lines: LedgerLine[]; rest: Sides; cut: DayToShow['after'] };

/**
 * Shows the lines of these entries, as many as there is room for.
 *
 * @param entries those that count on the date, from where the day begins on
 */
export const showEntries = (
  { balance: before, rest: total, after }: DayToShow,
  entries: readonly PlacedEntry[],
  { account, room }: { account: string; room: number },
): Shown => {
  const lines: LedgerLine[] = [];
  let [balance, rest] = [before, total];
  let last: DayToShow['after'];
  for (const { place, entry } of entries) {
    const shownBefore = after && isSamePlace(place, after.place) ? after.line : 0;
    for (const line of entry.lines) {
      if (line.account !== account || line.lineNumber <= shownBefore) continue;
      if (lines.length === room) return { lines, rest, cut: last };
      const [debit, credit] = [hundredthsOf(line.bookDebit), hundredthsOf(line.bookCredit)];
      rest = { debit: rest.debit - debit, credit: rest.credit - credit };
      balance += debit - credit;
      lines.push({ entry, line, balance });
      last = { place, line: line.lineNumber };
    }
  }
  return { lines, rest, cut: undefined };
};

/** Whether all that the sheets say of a date has been shown, and no more. */
export const isAllShown = ({ debit, credit }: Sides): boolean => debit === 0n && credit === 0n;

/** The position of a page that ends within a date. */
export const positionWithin = (
  { date: of, counted }: DayToShow,
  { rest, after }: { rest: Sides; after: NonNullable<DayToShow['after']> },
): LedgerPosition => {
  const left = { debit: formatHundredths(rest.debit), credit: formatHundredths(rest.credit) };
  return { date: of, within: { ...after, counted, ...left } };
};
