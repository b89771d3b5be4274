// Stores the day sheets of tenants. Posts and reports read them.

import * as z from 'zod/mini';
import type { JournalSeries } from '../entries/journal-entry.ts';
import {
  chainsKey,
  lateSheetKey,
  readSheetKey,
  sheetKey,
  sheetPrefix,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import { countLargeSheet } from '../table/metering.ts';
import { itemIn, type Snapshot } from '../table/optimistic-write.ts';
import { sortRange } from '../table/sort-ranges.ts';
import { type Action, type Item, ifNotExists, type Table } from '../table/table.ts';
import { monthOf } from './carried-totals.ts';
import {
  type DatedSheetText,
  type DaySheet,
  emptySheet,
  formatRows,
  type LateRows,
  mergeRows,
  readRows,
  withLateRows,
} from './day-sheet.ts';

/** The date and series of a sheet. */
export type SheetName = { date: string; series: JournalSeries };

/**
 * Rows are stored as text, which takes a quarter of the space and reading time of a map of numbers.
 * An item has room for the rows of about 20,000 accounts. Revisit, with sheets in parts, when a
 * sheet exceeds `largeRowsBytes`; an alarm reports that.
 */
const StoredSheet = z.object({
  lastSequence: z.int(),
  revision: z.int(),
  counted: z.int(),
  head: z.string(),
  rows: z.string(),
  late: z.optional(z.array(z.object({ rows: z.string(), carriedFrom: z.optional(z.string()) }))),
});

/** DynamoDB Developer Guide, "Quotas". */
export const maximumItemBytes = 400 * 1024;

/** The metric of large sheets counts sheets with more bytes of rows. */
export const largeRowsBytes = maximumItemBytes / 4;

/** The key and the other attributes of a sheet take less than 2 KB. */
const maximumRowsBytes = maximumItemBytes - 2 * 1024;

/** This number of rows always fits, even with the longest codes and amounts. */
const fittingRows = 1_000;

/**
 * The sheet of a date in a snapshot. If the month is carried, all rows of a new sheet are late. The
 * snapshot has the month's chains only if the creation of the sheet failed because of them.
 */
export const sheetIn = (snapshot: Snapshot, name: TenantName, of: SheetName): DaySheet => {
  const item = itemIn(snapshot, sheetKey(name, of));
  if (item !== undefined) return sheetOf(item);
  const isCarried = itemIn(snapshot, chainsKey(name, monthOf(of.date))) !== undefined;
  return isCarried ? { ...emptySheet, late: [] } : emptySheet;
};

const bytesOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

const lateTexts = (late: readonly LateRows[] = []): string[] => late.map(({ rows }) => rows);

/** The late rows of a sheet after a change. New rows follow the earlier ones. */
const lateAfter = (before: DaySheet, after: Pick<DaySheet, 'rows'>) =>
  before.late && withLateRows(before.late, after.rows.slice(before.rows.length));

/** Whether a sheet can be stored with all of its rows. */
export const hasRoom = (before: DaySheet, after: Pick<DaySheet, 'rows'>): boolean =>
  (before.late === undefined && after.rows.length <= fittingRows) ||
  bytesOf([formatRows(mergeRows(after.rows)), ...lateTexts(lateAfter(before, after))]) <=
    maximumRowsBytes;

/** The sheet of an item. Without an item, the sheet is empty. */
export const sheetOf = (item: Item | undefined): DaySheet => {
  if (item === undefined) return emptySheet;
  const { rows, ...stored } = StoredSheet.parse(item);
  return { ...stored, rows: readRows(rows) };
};

/**
 * The actions that change a sheet, if it is still at the revision of `before`. A new sheet without
 * late rows requires that its month is not carried.
 *
 * Each tenant, date and series has one sheet. It changes in the transaction of the entry, so no
 * refused request, lost race or crash can use up a number or count an entry in part. Requests for
 * one sheet wait for each other. Revisit when a tenant posts more than some tens of requests per
 * second for one date.
 */
export const sheetActions = (
  name: TenantName,
  of: SheetName,
  { before, after }: { before: DaySheet; after: DaySheet },
): Action[] => {
  const rows = formatRows(mergeRows(after.rows));
  const late = lateAfter(before, after);
  const rowsBytes = bytesOf([rows, ...lateTexts(late)]);
  if (rowsBytes > largeRowsBytes) countLargeSheet();
  // DynamoDB's own error would not say which item of the transaction is too large.
  if (rowsBytes > maximumRowsBytes) throw new Error(`the sheet of ${of.date} is full`);
  const change: Action = {
    put: {
      ...sheetKey(name, of),
      lastSequence: after.lastSequence,
      revision: before.revision + 1,
      counted: after.counted,
      head: after.head,
      rows,
      late,
    },
    ...(before.revision === 0
      ? { condition: ifNotExists }
      : { condition: 'revision = :revision', values: { ':revision': before.revision } }),
  };
  const isNew = before.revision === 0;
  return [
    change,
    ...(isNew && late === undefined
      ? [{ check: chainsKey(name, monthOf(of.date)), condition: ifNotExists }]
      : []),
    ...(late === before.late ? [] : [{ put: lateSheetKey(name, of) }]),
  ];
};

/** The bytes of the rows in the action that changes a sheet; 0 for other actions. */
export const rowsBytesOf = (action: Action | undefined): number =>
  action && 'put' in action && typeof action.put.rows === 'string'
    ? Buffer.byteLength(action.put.rows)
    : 0;

/** A sheet with its date and series. */
export type NamedSheet = SheetName & DaySheet;

export type DaySheets = ReturnType<typeof openDaySheets>;

/** A part of a tenant's sheets: after all dates of a month, on or after a date, up to a date. */
type SheetRange = { afterMonth?: string | undefined; from?: string | undefined; to?: string };

const boundsOf = ({ afterMonth, from = '', to = '9999-12-31' }: SheetRange) => ({
  first: `${sheetPrefix}${afterMonth === undefined ? from : `${afterMonth}-~`}`,
  last: `${sheetPrefix}${to}#~`,
});

const sheetTextOf = (item: Item): DatedSheetText => ({
  ...readSheetKey({ sk: z.string().parse(item.sk) }),
  ...StoredSheet.parse(item),
});

export const openDaySheets = (table: Pick<Table, 'getMany' | 'query'>) => {
  /**
   * Lists the sheets of a range, ordered by date and series, with rows as text. An entry posted
   * during the read is in the list completely or not at all, because each entry counts on one
   * sheet.
   */
  const listTexts = async (name: TenantName, range: SheetRange): Promise<DatedSheetText[]> => {
    const bounds = boundsOf(range);
    if (bounds.first > bounds.last) return [];
    const items = await table.query(sortRange(tenantKey(name).pk, bounds));
    return items.map(sheetTextOf);
  };

  return {
    listTexts,

    /** The existing sheets with these names, with rows as text. */
    findTexts: async (
      name: TenantName,
      sheets: readonly SheetName[],
    ): Promise<DatedSheetText[]> => {
      const items = await table.getMany(sheets.map((sheet) => sheetKey(name, sheet)));
      return [...items.values()].map(sheetTextOf);
    },

    /** Like `listTexts`, for all sheets and with parsed rows. */
    list: async (name: TenantName): Promise<NamedSheet[]> =>
      (await listTexts(name, {})).map(({ rows, ...sheet }) => ({ ...sheet, rows: readRows(rows) })),
  };
};
