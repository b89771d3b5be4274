// Reads the rows of a report's periods: the carried totals before them and at their ends, the late
// rows that they lack, and the sheets of the remaining dates. The number of reads does not grow
// with the books.

import { digestOfMonths, monthHashesOf } from '../entries/entry-hash.ts';
import { addDays, firstDate } from '../money/dates.ts';
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
import type { NamedSheet } from './day-sheet.ts';
import { openDaySheets } from './day-sheets.store.ts';
import type { PeriodRows } from './sheet-sums.ts';

/** A period of a report. Without `from`, it starts with the books. */
export type Period = { from?: string | undefined; to: string };

/** `digest` is the digest of all entries up to the end of the last period. */
type PeriodsRead = { periods: PeriodRows[]; digest: string };

/**
 * The sheets from the first date of a period on, and the rows of all earlier dates. `end` is the
 * last date that was read if there are more; then `digest` is that of this date.
 */
export type PeriodDays = {
  before: readonly string[];
  days: NamedSheet[];
  end: string | undefined;
  digest: string;
};

/** What of a tenant's books is carried, read before the sheets. */
export type Carried = Pick<CarriedState, 'dates' | 'hashes'> & { late: readonly LateSheet[] };

/** The last date before a period; empty if the period starts with the books. */
const lastBefore = (from = firstDate): string => (from > firstDate ? addDays(from, -1) : '');

const rowsOf = (sheets: readonly NamedSheet[]): string[] => sheets.map(({ rows }) => rows);

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
      daySheets.findMany(name, dates.flatMap(lackedBy)),
      carriedTotals.findChains(name, hasDigest ? [...new Set([...lackedMonths, ...part])] : []),
      ...dates.map((date) => (date === undefined ? [] : carriedTotals.getRows(name, date))),
    ]);
    const rows = totals.map((ofDate, index) => {
      const { [index]: date = '' } = dates;
      const earlier = sheets.filter((sheet) => sheet.date <= date);
      return [...ofDate, ...earlier.flatMap((sheet) => lateRowsFor(date, sheet))];
    });
    const digestWith = (following: readonly NamedSheet[]): string => {
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

    /** Reads the sheets of the first dates of the period, for a page of an account's ledger. */
    readDays: async (
      name: TenantName,
      carried: Carried,
      { from = '', to }: Period,
    ): Promise<PeriodDays> => {
      const after = carriedBefore(from, carried.dates);
      const [{ rows, digestWith }, before, { sheets, isLast }] = await Promise.all([
        readTotals(name, carried, [after]),
        daySheets.list(name, { after, before: from }),
        daySheets.listPage(name, { from, to }),
      ]);
      return {
        before: [...rows.flat(), ...rowsOf(before)],
        days: sheets,
        end: isLast ? undefined : sheets.at(-1)?.date,
        digest: digestWith([...before, ...sheets]),
      };
    },

    /**
     * Reads the rows of several periods. Totals and sheets that they have in common are read once.
     * @param options.hasDigest whether the digest is needed, which takes further reads
     */
    read: async (
      name: TenantName,
      carried: Carried,
      periods: readonly Period[],
      options: { hasDigest?: boolean } = {},
    ): Promise<PeriodsRead> => {
      const ends = periods.flatMap(({ from, to }) => [lastBefore(from), to]).toSorted();
      const totalsBefore = (end: string) => carried.dates.findLast((date) => date <= end);
      const dates = [...new Set(ends.map(totalsBefore))];
      const [{ rows, digestWith }, ...following] = await Promise.all([
        readTotals(name, carried, dates, options),
        ...dates.map((date) => {
          const to = ends.findLast((end) => totalsBefore(end) === date);
          return daySheets.list(name, { after: date, ...(to !== undefined && { to }) });
        }),
      ]);
      const partUntil = (end: string) => {
        const place = dates.indexOf(totalsBefore(end));
        const { [place]: ofDate = [] } = rows;
        const sheets = (following[place] ?? []).filter(({ date }) => date <= end);
        return { place, rows: [...ofDate, ...rowsOf(sheets)], sheets };
      };
      return {
        periods: periods.map(({ from, to }) => {
          const [before, until] = [partUntil(lastBefore(from)), partUntil(to)];
          const isFromStart = before.place !== until.place;
          const added = until.sheets.slice(before.sheets.length);
          return {
            before: before.rows,
            within: isFromStart ? until.rows : rowsOf(added),
            isFromStart,
          };
        }),
        digest: digestWith(following.at(-1) ?? []),
      };
    },
  };
};
