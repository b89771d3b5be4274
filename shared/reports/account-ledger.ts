// The ledger of an account: its lines by posting date, with a running balance.
//
// The sheets have the account's totals for every date, so the balance at the start of a date needs
// no earlier entries. Entries are read after the sheets. Entries posted in between are not shown.

import * as z from 'zod/mini';
import type { Account } from '../accounts/accounts.ts';
import {
  type EntryPlace,
  type JournalEntry,
  type JournalLine,
  type JournalSeries,
  journalSeries,
} from '../entries/journal-entry.ts';
import { isCalendarDate } from '../money/dates.ts';
import { formatThousandths, thousandthsOf } from '../money/thousandths.ts';
import type { NamedSheet } from '../sheets/day-sheet.ts';
import { rowNamesOf, rowTextsIn } from '../sheets/row-text.ts';
import { type AccountSums, balanceOf, noSides, plus, type Sides } from '../sheets/sheet-sums.ts';

/**
 * The lines that a ledger shows: those of an account, with their book amounts. With a currency,
 * those of the account's entries in that currency, with their amounts in it.
 */
export type LedgerSelection = { account: string; currency: string | null };

const isSelected = (
  { transactionCurrency }: Pick<JournalEntry, 'transactionCurrency'>,
  line: JournalLine,
  { account, currency }: LedgerSelection,
): boolean => line.account === account && (currency === null || transactionCurrency === currency);

/** The number of lines that a ledger shows of these entries. */
export const countSelected = (
  entries: readonly PlacedEntry[],
  selection: LedgerSelection,
): number =>
  entries.flatMap(({ entry }) => entry.lines.filter((line) => isSelected(entry, line, selection)))
    .length;

/** The number of counted entries in each series. */
export type SeriesCounts = Record<JournalSeries, number>;

const noCounts: SeriesCounts = { IJ: 0, MJ: 0, PB: 0, RV: 0 };

export const totalCounted = (counted: SeriesCounts): number =>
  Object.values(counted).reduce((sum, count) => sum + count, 0);

/** A date with lines of the account, from the date's sheets. */
type ActiveDay = {
  date: string;
  /** The account's totals on the date. */
  total: Sides;
  counted: SeriesCounts;
  /** The number of entries filed under the date. */
  filed: number;
};

/**
 * The days that were read, and the balances around them. Debit balances are positive. `end` is the
 * last date that was read if the period has more.
 */
export type AccountHistory = {
  opening: bigint;
  days: ActiveDay[];
  closing: bigint;
  end?: string | undefined;
};

/** The balances of an account before a period and at its end. */
export const balancesIn = (
  sums: readonly AccountSums[],
  { account, currency }: LedgerSelection,
): { opening: bigint; closing: bigint } => {
  const sum = sums.find((it) => it.account === account && it.currency === currency);
  const opening = balanceOf(sum?.before ?? noSides);
  return { opening, closing: opening + balanceOf(sum?.within ?? noSides) };
};

/**
 * @param before the rows of the dates before the period
 * @param days the sheets of the period, ordered by date and series
 */
export const accountHistoryOf = (
  {
    account,
    before,
    days: sheets,
    end,
  }: {
    account: Pick<Account, 'code' | 'number'>;
    before: readonly string[];
    days: readonly NamedSheet[];
    end?: string | undefined;
  },
  currency: string | null,
): AccountHistory => {
  const names = rowNamesOf(account);
  /** The totals in the rows of a date or of earlier dates; `undefined` if there are none. */
  const totalIn = (rows: string): Sides | undefined => {
    const found = rowTextsIn(rows, names, currency);
    if (found.length === 0) return undefined;
    return found
      .map(([, , debit, credit]) => ({
        debit: thousandthsOf(debit),
        credit: thousandthsOf(credit),
      }))
      .reduce(plus, noSides);
  };
  const opening = before.reduce((sum, rows) => sum + balanceOf(totalIn(rows) ?? noSides), 0n);
  const days = new Map<string, ActiveDay & { isActive: boolean }>();
  let closing = opening;
  for (const { date, series, rows, counted, lastSequence } of sheets) {
    const total = totalIn(rows);
    closing += balanceOf(total ?? noSides);
    const none = { date, total: noSides, counted: noCounts, filed: 0, isActive: false };
    const day = days.get(date) ?? none;
    days.set(date, {
      date,
      total: plus(day.total, total ?? noSides),
      counted: { ...day.counted, [series]: counted },
      filed: day.filed + lastSequence,
      isActive: day.isActive || total !== undefined,
    });
  }
  const active = [...days.values()].filter((day) => day.isActive);
  return { opening, days: active.map(({ isActive: _, ...day }) => day), closing, end };
};

/**
 * The position of an entry among the entries that count on a date: first the entries filed under
 * the date, then the entries with an accrual date, each ordered by number.
 */
export type PlaceInDay = EntryPlace & { isAccrual: boolean };

export type PlacedEntry = { place: PlaceInDay; entry: JournalEntry };

const amount = z.string().check(z.regex(/^\d{1,30}\.\d{2,3}$/));
const date = z.string().check(z.refine(isCalendarDate));
const number = z.int().check(z.minimum(0), z.maximum(999_999_999));

/**
 * The position after which a page starts: at the end of a date, or within it. Within a date,
 * `counted` fixes the entries to show, and `debit` and `credit` are the totals of the lines still
 * to show.
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
      /** The last line of the entry that was shown; 0 if none was. */
      line: number,
      // Cursors of earlier versions have no count of revaluations and platform balances.
      counted: z.strictObject({
        IJ: number,
        MJ: number,
        PB: z._default(number, 0),
        RV: z._default(number, 0),
      }),
      debit: amount,
      credit: amount,
    }),
  ),
});
export type LedgerPosition = z.infer<typeof LedgerPosition>;

/** The part of a date to show. `balance` is the balance before it, `rest` its totals. */
export type DayToShow = {
  date: string;
  balance: bigint;
  rest: Sides;
  counted: SeriesCounts;
  filed: number;
  /** The last line that was shown. Omitted at the start of the date. */
  after?: { place: PlaceInDay; line: number };
};

/**
 * The rest of a date that an earlier page started. Entries posted on the date since then are part
 * of the balance before the rest. They are not shown, because some precede the shown lines.
 */
const restOfDay = (
  day: DayToShow,
  { place, line, counted, ...left }: NonNullable<LedgerPosition['within']>,
): DayToShow | undefined => {
  const rest = { debit: thousandthsOf(left.debit), credit: thousandthsOf(left.credit) };
  const isPossible =
    (place.isAccrual || place.date === day.date) &&
    journalSeries.every((series) => counted[series] <= day.counted[series]) &&
    rest.debit <= day.rest.debit &&
    rest.credit <= day.rest.credit;
  const balance = day.balance + balanceOf(day.rest) - balanceOf(rest);
  return isPossible ? { ...day, counted, rest, balance, after: { place, line } } : undefined;
};

/** The days after a position; `undefined` if no page can have ended there. */
export const daysToShow = (
  { opening, days }: AccountHistory,
  position: LedgerPosition | undefined,
): DayToShow[] | undefined => {
  let balance = opening;
  const all = days.map(({ total, ...day }): DayToShow => {
    const whole = { ...day, rest: total, balance };
    balance += balanceOf(total);
    return whole;
  });
  if (position === undefined) return all;
  const after = all.filter((day) => day.date > position.date);
  if (position.within === undefined) return after;
  const day = all.find((it) => it.date === position.date);
  const rest = day && restOfDay(day, position.within);
  return rest && [rest, ...after];
};

/** Whether an entry at this place is among the counted entries of a date. */
export const isCounted = (
  { place, entry }: PlacedEntry,
  { date: postingDate, counted }: Pick<DayToShow, 'date' | 'counted'>,
): boolean =>
  entry.postingDate === postingDate &&
  (entry.accrualDate !== null) === place.isAccrual &&
  entry.postingSequence !== null &&
  entry.postingSequence <= counted[place.series];

const isSamePlace = (one: PlaceInDay, other: PlaceInDay): boolean =>
  one.isAccrual === other.isAccrual &&
  one.date === other.date &&
  one.series === other.series &&
  one.sequence === other.sequence;

/** A line with its entry and the balance after it. */
export type LedgerLine = { entry: JournalEntry; line: JournalLine; balance: bigint };

/** The lines to show, the totals of the remaining lines, and the last shown line if more follow. */
type DayLines = { lines: LedgerLine[]; rest: Sides; cut: DayToShow['after'] };

/**
 * The selected lines of these entries, at most `room` of them.
 *
 * @param entries the counted entries of the date, from the start of the part to show
 */
export const showEntries = (
  { balance: before, rest: total, after }: DayToShow,
  entries: readonly PlacedEntry[],
  { room, ...selection }: LedgerSelection & { room: number },
): DayLines => {
  const lines: LedgerLine[] = [];
  let [balance, rest] = [before, total];
  let last: DayToShow['after'];
  for (const { place, entry } of entries) {
    const shownBefore = after && isSamePlace(place, after.place) ? after.line : 0;
    for (const line of entry.lines) {
      if (!isSelected(entry, line, selection) || line.lineNumber <= shownBefore) continue;
      if (lines.length === room) return { lines, rest, cut: last };
      const { bookDebit, bookCredit } = line;
      const sides =
        selection.currency === null ? [bookDebit, bookCredit] : [line.debit, line.credit];
      const [debit = 0n, credit = 0n] = sides.map(thousandthsOf);
      rest = { debit: rest.debit - debit, credit: rest.credit - credit };
      balance += debit - credit;
      lines.push({ entry, line, balance });
      last = { place, line: line.lineNumber };
    }
  }
  return { lines, rest, cut: undefined };
};

/** Whether the shown lines add up exactly to the totals of the sheets. */
export const isAllShown = ({ debit, credit }: Sides): boolean => debit === 0n && credit === 0n;

/** The position of a page that ends within a date. */
export const positionWithin = (
  { date: of, counted }: DayToShow,
  { rest, after }: { rest: Sides; after: NonNullable<DayToShow['after']> },
): LedgerPosition => {
  const left = { debit: formatThousandths(rest.debit), credit: formatThousandths(rest.credit) };
  return { date: of, within: { ...after, counted, ...left } };
};
