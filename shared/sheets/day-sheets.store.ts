// The sheets of a tenant's dates, as items: read by whoever posts and by every report.

import * as z from 'zod/mini';
import type { JournalSeries } from '../entries/journal-entry.ts';
import { readSheetKey, sheetKey, sheetPrefix, type TenantName, tenantKey } from '../table/keys.ts';
import { countLargeSheet } from '../table/metering.ts';
import { sortRange } from '../table/sort-ranges.ts';
import { type Action, type Item, ifNotExists, type Table } from '../table/table.ts';
import {
  type DatedSheetText,
  type DaySheet,
  emptySheet,
  formatRows,
  mergeRows,
  readRows,
} from './day-sheet.ts';

/** The date and series of a sheet. */
export type SheetName = { date: string; series: JournalSeries };

/**
 * Rows are text: they take a quarter of the room of a map of numbers, and of the time to read them.
 * An item has room for the rows of some 20,000 accounts. Revisit, with sheets in parts, when a date
 * moves a quarter of that: an alarm tells.
 */
const StoredSheet = z.object({
  lastSequence: z.int(),
  revision: z.int(),
  counted: z.int(),
  head: z.string(),
  rows: z.string(),
});

/** A quarter of what an item can hold (DynamoDB Developer Guide, "Quotas": 400 KB). */
export const largeRowsBytes = 100 * 1024;

/** So much of an item's 400 KB is left for rows beside its key and its other attributes. */
const maximumRowsBytes = 398 * 1024;

/** Of rows of the longest codes, in characters of four bytes, and amounts so many surely fit. */
const surelyFitting = 1_000;

/** Whether a sheet can be stored with all of its rows. */
export const hasRoom = ({ rows }: Pick<DaySheet, 'rows'>): boolean =>
  rows.length <= surelyFitting ||
  Buffer.byteLength(formatRows(mergeRows(rows))) <= maximumRowsBytes;

/** A sheet as its item says; where there is none, nothing was filed or counted yet. */
export const sheetOf = (item: Item | undefined): DaySheet => {
  if (item === undefined) return emptySheet;
  const { rows, ...stored } = StoredSheet.parse(item);
  return { ...stored, rows: readRows(rows) };
};

/**
 * The action that changes a sheet, unless somebody else has changed it since it was read.
 *
 * Each tenant, date and series has one sheet, which changes in the entry's own transaction, so a
 * rejected request, a lost race or a crash cannot consume a number or count an entry by half.
 * Revisit when the clients of one tenant post more than some tens of requests a second for one
 * date, be they of one entry or of many: they queue behind each other.
 */
export const sheetAction = (
  name: TenantName,
  of: SheetName,
  { before, after }: { before: DaySheet; after: DaySheet },
): Action => {
  const rows = formatRows(mergeRows(after.rows));
  const rowsBytes = Buffer.byteLength(rows);
  if (rowsBytes > largeRowsBytes) countLargeSheet();
  // Said here, since the table would only say that some item of the transaction is too large.
  if (rowsBytes > maximumRowsBytes) throw new Error(`the sheet of ${of.date} is full`);
  return {
    put: {
      ...sheetKey(name, of),
      lastSequence: after.lastSequence,
      revision: before.revision + 1,
      counted: after.counted,
      head: after.head,
      rows,
    },
    ...(before.revision === 0
      ? { condition: ifNotExists }
      : { condition: 'revision = :revision', values: { ':revision': before.revision } }),
  };
};

/** The bytes of a sheet's rows in the action that changes it, by far the most of it. */
export const rowsBytesOf = (action: Action | undefined): number =>
  action && 'put' in action && typeof action.put.rows === 'string'
    ? Buffer.byteLength(action.put.rows)
    : 0;

/** A sheet with the date and series that it is of. */
export type NamedSheet = SheetName & DaySheet;

export type DaySheets = ReturnType<typeof openDaySheets>;

export const openDaySheets = (table: Pick<Table, 'query'>) => {
  /**
   * Every sheet of a tenant up to a date, in the order of date and series, with its rows as text;
   * strongly consistent. Each sheet has whole entries only, so that what is posted while they are
   * read is in the list or not, and never by half.
   */
  const listTexts = async (
    name: TenantName,
    { to = '9999-12-31' } = {},
  ): Promise<DatedSheetText[]> => {
    const bounds = { first: sheetPrefix, last: `${sheetPrefix}${to}#~` };
    const items = await table.query(sortRange(tenantKey(name).pk, bounds));
    return items.map((item) => ({
      ...readSheetKey({ sk: z.string().parse(item.sk) }),
      ...StoredSheet.parse(item),
    }));
  };

  return {
    listTexts,

    /** The same with their rows read. */
    list: async (name: TenantName, options: { to?: string } = {}): Promise<NamedSheet[]> =>
      (await listTexts(name, options)).map(({ rows, ...sheet }) => ({
        ...sheet,
        rows: readRows(rows),
      })),
  };
};
