// Reads a page of an account's ledger. It reads only the dates on which the account moved.

import { cursorNotValid } from '#shared/endpoint/page.view.ts';
import { assertBalanced, BooksDiffer } from '#shared/entries/entry-checks.ts';
import {
  type EntriesOfDay,
  maximumBytesPerCall,
  type PostedEntries,
  type ReadBudget,
} from '#shared/entries/lists/posted-entries.store.ts';
import {
  type AccountHistory,
  countSelected,
  type DayToShow,
  daysToShow,
  isAllShown,
  type LedgerLine,
  type LedgerPosition,
  type LedgerSelection,
  positionWithin,
  showEntries,
} from '#shared/reports/account-ledger.ts';
import type { TenantName } from '#shared/table/keys.ts';

type LedgerPage = { lines: LedgerLine[]; next: LedgerPosition | undefined };

type PageRequest = {
  name: TenantName;
  selection: LedgerSelection;
  history: AccountHistory;
  position: LedgerPosition | undefined;
  limit: number;
};

type PageDependencies = {
  postedEntries: PostedEntries;
  sleep: (milliseconds: number) => Promise<unknown>;
};

/** The maximum size of the entries of a page. Calls already started can exceed it. */
const maximumBytes = 8 * maximumBytesPerCall;

/** The maximum number of dates read in parallel, and of their entries. */
const maximumDatesAtOnce = 8;
const maximumEntriesAtOnce = 500;

/** While a transaction commits, a reader can see only a part of its items, so it tries again. */
const maximumAttempts = 4;
const firstPauseMilliseconds = 50;

/** The next dates to read in parallel: one date, or several dates with few entries. */
const roundOf = (days: readonly DayToShow[], budget: ReadBudget): DayToShow[] => {
  const most = Math.min(maximumDatesAtOnce, Math.floor(budget.bytes / maximumBytesPerCall));
  let entries = 0;
  return days.slice(0, most).filter(({ filed }, place) => {
    entries += filed;
    return place === 0 || entries <= maximumEntriesAtOnce;
  });
};

const isUsedUp = ({ bytes }: ReadBudget): boolean => bytes < maximumBytesPerCall;

/** Opens the reading of one page. */
const openReading = (
  { postedEntries, sleep }: PageDependencies,
  { name, selection, limit, history }: PageRequest,
) => {
  const budget: ReadBudget = { bytes: maximumBytes };

  /** Whether a date was read completely and differs from its day sheets. */
  const differs = (day: DayToShow, { entries, next }: EntriesOfDay): boolean =>
    day.after === undefined &&
    next === undefined &&
    !isAllShown(showEntries(day, entries, { ...selection, room: Number.POSITIVE_INFINITY }).rest);

  /** Reads a date. If it differs from its day sheets, reads it again a few times. */
  const readDay = async (day: DayToShow): Promise<EntriesOfDay> => {
    for (let attempt = 1; ; attempt += 1) {
      const read = await postedEntries.readDay(name, day, {
        budget,
        isEnough: (entries) => countSelected(entries, selection) >= limit,
      });
      if (attempt === maximumAttempts || !differs(day, read)) return read;
      await sleep(firstPauseMilliseconds * 2 ** attempt);
    }
  };

  /**
   * Throws BooksDiffer if the whole date differs from its day sheets. Otherwise the cursor, which
   * continues within the date, is invalid.
   */
  const refuse = async (day: DayToShow): Promise<never> => {
    const wholeDay = daysToShow(history, undefined)?.find(({ date }) => date === day.date);
    const doBooksDiffer =
      day.after === undefined || (wholeDay && differs(wholeDay, await readDay(wholeDay)));
    if (!doBooksDiffer) throw cursorNotValid();
    throw new BooksDiffer(`account ${selection.account} differs from its sheets on ${day.date}`);
  };

  /** The lines of a date; `within` is the end of the page if the page ends on this date. */
  const showDay = async (day: DayToShow, { entries, next }: EntriesOfDay, room: number) => {
    const { lines, rest, cut } = showEntries(day, entries, { ...selection, room });
    for (const { entry } of lines) assertBalanced(entry);
    const after = cut ?? (next && { place: next, line: 0 });
    if (after === undefined && !isAllShown(rest)) await refuse(day);
    return { lines, within: after && positionWithin(day, { rest, after }) };
  };
  return { budget, readDay, showDay };
};

/**
 * Reads the lines of a page and the position of the next page.
 *
 * @throws BooksDiffer if the entries of a date differ from its day sheets
 * @throws ApiError if no page can have ended at the position
 */
export const readLedgerPage = async (
  dependencies: PageDependencies,
  request: PageRequest,
): Promise<LedgerPage> => {
  const { history, position, limit } = request;
  const { budget, readDay, showDay } = openReading(dependencies, request);
  const days = daysToShow(history, position);
  if (days === undefined) throw cursorNotValid();
  const lines: LedgerLine[] = [];
  let shownDays = 0;
  while (shownDays < days.length) {
    const round = roundOf(days.slice(shownDays), budget);
    const read = await Promise.all(round.map(readDay));
    for (const [place, day] of round.entries()) {
      const shown = await showDay(day, read[place] as EntriesOfDay, limit - lines.length);
      lines.push(...shown.lines);
      if (shown.within) return { lines, next: shown.within };
      shownDays += 1;
      const isFull = lines.length === limit || (round.length === place + 1 && isUsedUp(budget));
      if (isFull && shownDays < days.length) return { lines, next: { date: day.date } };
    }
  }
  return { lines, next: history.end === undefined ? undefined : { date: history.end } };
};
