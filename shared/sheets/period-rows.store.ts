// Reads the rows of a report's period: the carried totals before it and at its end, what they lack,
// and the sheets of the remaining dates. The reads are bounded, however long the books are.

import { type ChainHead, digestOfMonths, monthHashesOf } from '../entries/entry-hash.ts';
import { addDays } from '../money/dates.ts';
import type { TenantName } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import {
  type CarriedTotals,
  type LateSheet,
  monthsOf,
  noTotals,
  openCarriedTotals,
  withChainsOf,
} from './carried-totals.store.ts';
import {
  type CarriedMonths,
  carriedBefore,
  isLateFor,
  lateRowsFor,
  monthOf,
} from './carried-totals.ts';
import type { DatedSheetText } from './day-sheet.ts';
import { openDaySheets } from './day-sheets.store.ts';
import type { PeriodRows } from './sheet-sums.ts';

/** A period of a report. Without `from`, it starts with the books. */
export type Period = { from?: string | undefined; to: string };

/** `digest` is the digest of all entries up to the end of the period. */
export type PeriodRead = PeriodRows & { digest: string };

/** The sheets from the first date of a period on, and the rows of all earlier dates. */
export type PeriodDays = { before: readonly string[]; days: DatedSheetText[]; digest: string };

/** What the carried months of a tenant contain, read before the sheets. */
export type Carried = { months: CarriedMonths; late: readonly LateSheet[] };

const rowsOf = (sheets: readonly DatedSheetText[]): string[] => sheets.map(({ rows }) => rows);

export type PeriodRowsStore = ReturnType<typeof openPeriodRows>;

export const openPeriodRows = (table: Pick<Table, 'get' | 'getMany' | 'query'>) => {
  const daySheets = openDaySheets(table);
  const carriedTotals = openCarriedTotals(table);

  /** The sheets before the first carried month. They are new, and the next run carries them. */
  const listEarlier = async (
    name: TenantName,
    [first]: CarriedMonths,
  ): Promise<DatedSheetText[]> =>
    first === undefined ? [] : daySheets.listTexts(name, { to: `${first}-00` });

  /** The totals at the end of carried months, with the late rows that they lack. */
  const readTotals = async (
    name: TenantName,
    carried: Carried,
    months: readonly (string | undefined)[],
  ): Promise<{ rows: string[]; hashes: CarriedTotals['hashes'] }[]> => {
    const { late } = carried;
    const isNeeded = (sheet: LateSheet): boolean =>
      months.some((month = '') => monthOf(sheet.date) <= month && isLateFor(month, sheet));
    const names = late.filter(isNeeded);
    // Each sheet is read once, so all totals have the same entries.
    const [earlier, sheets, chains, ...totals] = await Promise.all([
      listEarlier(name, carried.months),
      names.length === 0 ? [] : daySheets.findTexts(name, names),
      names.length === 0 ? [] : carriedTotals.findChains(name, monthsOf(names)),
      ...months.map((month) =>
        month === undefined ? noTotals : carriedTotals.getTotals(name, month),
      ),
    ]);
    return totals.map(({ rows, hashes }, index) => {
      const { [index]: month } = months;
      if (month === undefined) return { rows: [], hashes: new Map() };
      const lacking = sheets.filter(
        ({ date, late: rows = [] }) =>
          monthOf(date) <= month && rows.some((it) => isLateFor(month, it)),
      );
      const isLacking = ({ date }: ChainHead) => monthsOf(lacking).includes(monthOf(date));
      const changed = withChainsOf(chains.filter(isLacking), lacking);
      return {
        rows: [
          ...rows,
          ...rowsOf(earlier),
          ...lacking.flatMap((sheet) => lateRowsFor(month, sheet)),
        ],
        hashes: new Map([...hashes, ...monthHashesOf([...earlier, ...changed])]),
      };
    });
  };

  const digestAfter = (
    hashes: CarriedTotals['hashes'],
    sheets: readonly DatedSheetText[],
  ): string => digestOfMonths(new Map([...hashes, ...monthHashesOf(sheets)]));

  /** The rows before a date, the sheets from it on, and the digest. */
  const readDays = async (
    name: TenantName,
    carried: Carried,
    { from = '', to }: Period,
  ): Promise<PeriodDays> => {
    const opening = from === '' ? undefined : carriedBefore(from, carried.months);
    const [[start], sheets] = await Promise.all([
      readTotals(name, carried, [opening]),
      daySheets.listTexts(name, { afterMonth: opening, to }),
    ]);
    const before = sheets.filter(({ date }) => date < from);
    return {
      before: [...(start?.rows ?? []), ...rowsOf(before)],
      days: sheets.slice(before.length),
      digest: digestAfter(start?.hashes ?? new Map(), sheets),
    };
  };

  return {
    listLate: carriedTotals.listLate,

    /** Reads all sheets of the period, for the ledger of an account. */
    readDays,

    read: async (
      name: TenantName,
      carried: Carried,
      { from = '', to }: Period,
    ): Promise<PeriodRead> => {
      const opening = from === '' ? undefined : carriedBefore(from, carried.months);
      const closing = carriedBefore(addDays(to, 1), carried.months);
      if (opening === closing) {
        const { days, ...read } = await readDays(name, carried, { from, to });
        return { ...read, within: rowsOf(days), isFromStart: false };
      }
      const [[start, end], before, after] = await Promise.all([
        readTotals(name, carried, [opening, closing]),
        from === ''
          ? []
          : daySheets.listTexts(name, { afterMonth: opening, to: addDays(from, -1) }),
        daySheets.listTexts(name, { afterMonth: closing, to }),
      ]);
      if (start === undefined || end === undefined) throw new Error('totals were not read');
      return {
        before: [...start.rows, ...rowsOf(before)],
        within: [...end.rows, ...rowsOf(after)],
        isFromStart: true,
        digest: digestAfter(end.hashes, after),
      };
    },
  };
};
