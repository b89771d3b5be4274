// Reads the rows of a report's period: the carried totals before it and at its end, the late rows
// that they lack, and the sheets of the remaining dates. The reads are bounded, however long the
// books are.

import { digestOfMonths, monthHashesOf } from '../entries/entry-hash.ts';
import type { TenantName } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { carriedBefore, isMonthEnd, monthOf, monthsOf } from './carried-dates.ts';
import {
  type CarriedState,
  type LateSheet,
  openCarriedTotals,
  withChainsOf,
} from './carried-totals.store.ts';
import { isLateFor, lateRowsFor } from './carried-totals.ts';
import type { DatedSheetText } from './day-sheet.ts';
import { openDaySheets } from './day-sheets.store.ts';
import type { PeriodRows } from './sheet-sums.ts';

/** A period of a report. Without `from`, it starts with the books. */
export type Period = { from?: string | undefined; to: string };

/** `digest` is the digest of all entries up to the end of the period. */
export type PeriodRead = PeriodRows & { digest: string };

/**
 * The sheets from the first date of a period on, and the rows of all earlier dates. `end` is the
 * last date that was read if there are more; then `digest` is that of this date.
 */
export type PeriodDays = {
  before: readonly string[];
  days: DatedSheetText[];
  end: string | undefined;
  digest: string;
};

/** What of a tenant's books is carried, read before the sheets. */
export type Carried = Pick<CarriedState, 'dates' | 'hashes'> & { late: readonly LateSheet[] };

const rowsOf = (sheets: readonly DatedSheetText[]): string[] => sheets.map(({ rows }) => rows);

export const openPeriodRows = (table: Pick<Table, 'getMany' | 'query' | 'queryPage'>) => {
  const daySheets = openDaySheets(table);
  const carriedTotals = openCarriedTotals(table);

  /**
   * Reads the totals of these dates, with the late rows that they lack. Each sheet is read once, so
   * all totals have the same entries.
   * @param options.hasDigest whether the digest is needed, which takes further reads
   * @returns the rows of each date, and the digest at the end of the last one, followed by sheets
   */
  const readTotals = async (
    name: TenantName,
    { hashes, late }: Carried,
    dates: readonly (string | undefined)[],
    { hasDigest = true } = {},
  ) => {
    const last = dates.at(-1);
    const lackedBy = (date = ''): LateSheet[] =>
      late.filter((sheet) => sheet.date <= date && isLateFor(date, sheet));
    const lackedMonths = monthsOf(lackedBy(last));
    // The hash of a month that is carried in part is computed from its chains.
    const part = last === undefined || isMonthEnd(last) ? [] : [monthOf(last)];
    const [sheets, chains, ...totals] = await Promise.all([
      daySheets.findTexts(name, dates.flatMap(lackedBy)),
      carriedTotals.findChains(name, hasDigest ? [...new Set([...lackedMonths, ...part])] : []),
      ...dates.map((date) => (date === undefined ? [] : carriedTotals.getRows(name, date))),
    ]);
    const rows = totals.map((ofDate, index) => {
      const { [index]: date = '' } = dates;
      const earlier = sheets.filter((sheet) => sheet.date <= date);
      return [...ofDate, ...earlier.flatMap((sheet) => lateRowsFor(date, sheet))];
    });
    const digestWith = (following: readonly DatedSheetText[]): string => {
      const earlier = sheets.filter(({ date }) => lackedMonths.includes(monthOf(date)));
      const changed = withChainsOf(
        chains.filter(({ date }) => last !== undefined && date <= last),
        [...earlier, ...following],
      );
      const carried = [...hashes].filter(([month]) => last !== undefined && month <= monthOf(last));
      return digestOfMonths(new Map([...carried, ...monthHashesOf(changed)]));
    };
    return { rows, digestWith };
  };

  return {
    listLate: carriedTotals.listLate,

    /** Reads the rows of all dates up to this one. */
    readUpTo: async (name: TenantName, carried: Carried, to: string): Promise<string[]> => {
      const closing = carried.dates.findLast((date) => date <= to);
      const [{ rows }, sheets] = await Promise.all([
        readTotals(name, carried, [closing], { hasDigest: false }),
        daySheets.listTexts(name, { after: closing, to }),
      ]);
      return [...rows.flat(), ...rowsOf(sheets)];
    },

    /** Reads the sheets of the first dates of the period, for a page of an account's ledger. */
    readDays: async (
      name: TenantName,
      carried: Carried,
      { from = '', to }: Period,
    ): Promise<PeriodDays> => {
      const after = carriedBefore(from, carried.dates);
      const [{ rows, digestWith }, before, { sheets, isLast }] = await Promise.all([
        readTotals(name, carried, [after]),
        daySheets.listTexts(name, { after, before: from }),
        daySheets.listPage(name, { from, to }),
      ]);
      return {
        before: [...rows.flat(), ...rowsOf(before)],
        days: sheets,
        end: isLast ? undefined : sheets.at(-1)?.date,
        digest: digestWith([...before, ...sheets]),
      };
    },

    read: async (
      name: TenantName,
      carried: Carried,
      { from = '', to }: Period,
    ): Promise<PeriodRead> => {
      const opening = carriedBefore(from, carried.dates);
      const closing = carried.dates.findLast((date) => date <= to);
      if (opening === closing) {
        const [{ rows, digestWith }, sheets] = await Promise.all([
          readTotals(name, carried, [opening]),
          daySheets.listTexts(name, { after: opening, to }),
        ]);
        const earlier = sheets.filter(({ date }) => date < from);
        return {
          before: [...rows.flat(), ...rowsOf(earlier)],
          within: rowsOf(sheets.slice(earlier.length)),
          isFromStart: false,
          digest: digestWith(sheets),
        };
      }
      const [{ rows, digestWith }, before, after] = await Promise.all([
        readTotals(name, carried, [opening, closing]),
        from === '' ? [] : daySheets.listTexts(name, { after: opening, before: from }),
        daySheets.listTexts(name, { after: closing, to }),
      ]);
      const [atOpening = [], atClosing = []] = rows;
      return {
        before: [...atOpening, ...rowsOf(before)],
        within: [...atClosing, ...rowsOf(after)],
        isFromStart: true,
        digest: digestWith(after),
      };
    },
  };
};
