// Stores the day sheets of tenants. Posts and reports read them.

import * as z from 'zod/mini';
import { journalSeries } from '../entries/journal-entry.ts';
import { lastDate } from '../money/dates.ts';
import { lateSheetKey } from '../table/carried-keys.ts';
import { readSheetKey, sheetKey, sheetPrefix, type TenantName, tenantKey } from '../table/keys.ts';
import { blockKey } from '../table/list-keys.ts';
import { countLargeSheet } from '../table/metering.ts';
import { sortRange } from '../table/sort-ranges.ts';
import { type Action, type Item, ifNotExists, type Table } from '../table/table.ts';
import {
  addRows,
  type DaySheet,
  emptySheet,
  type InboxMark,
  type NamedSheet,
  type SheetName,
} from './day-sheet.ts';

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
  late: z.optional(z.array(z.object({ rows: z.string(), carriedOn: z.optional(z.string()) }))),
  accrualAccounts: z.optional(z.string()),
  keyedEntries: z.optional(z.int()),
  openBlock: z.optional(z.string()),
  recordedUntil: z.optional(z.int()),
  inboxHolder: z.optional(z.string()),
  inboxUntil: z.optional(z.int()),
});

const StoredMark = z.pick(StoredSheet, { inboxHolder: true, inboxUntil: true });

/** What a sheet says about the inbox of its date. */
export const inboxMarkOf = (sheet: Item | undefined): InboxMark =>
  sheet === undefined ? {} : StoredMark.parse(sheet);

/** DynamoDB Developer Guide, "Quotas". */
export const maximumItemBytes = 400 * 1024;

/** The metric of large sheets counts sheets with more bytes of rows. */
export const largeRowsBytes = maximumItemBytes / 4;

/** The key and the other attributes of a sheet take less than 2 KB. */
const maximumRowsBytes = maximumItemBytes - 2 * 1024;

/** A row with the longest code and amounts takes less. */
const maximumRowBytes = 400;

const rowsBytesIn = ({ rows, late = [] }: { rows: string; late?: DaySheet['late'] }): number =>
  [rows, ...late.map((it) => it.rows)].reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** Whether a sheet can be stored with all of its rows. */
export const hasRoom = ({ rows, late, added = [] }: DaySheet): boolean =>
  rowsBytesIn({ rows, late }) + added.length * maximumRowBytes <= maximumRowsBytes ||
  rowsBytesIn({ rows: addRows(rows, added), late }) <= maximumRowsBytes;

/** The sheet of an item. Without an item, the sheet is empty. */
export const sheetOf = (item: Item | undefined): DaySheet =>
  item === undefined ? emptySheet : StoredSheet.parse(item);

const hasPendingRows = ({ late = [] }: DaySheet): boolean =>
  late.some(({ carriedOn }) => carriedOn === undefined);

/**
 * The actions that change a sheet, if it is still at the revision of `before`.
 *
 * Each tenant, date and series has one sheet. It changes in the transaction of the entry, so no
 * refused request, lost race or crash can use up a number or count an entry in part. Requests for
 * one sheet wait for each other. If several processes contend for it, one of them records the
 * entries of all, and the sheet says which.
 */
export const sheetActions = (
  name: TenantName,
  of: SheetName,
  { before, after }: { before: DaySheet; after: DaySheet },
): Action[] => {
  const { late, added = [] } = after;
  const rows = addRows(after.rows, added);
  const rowsBytes = rowsBytesIn({ rows, late });
  if (rowsBytes > largeRowsBytes) countLargeSheet();
  // DynamoDB's own error would not say which item of the transaction is too large.
  if (rowsBytes > maximumRowsBytes) throw new Error(`the sheet of ${of.date} is full`);
  const stored = StoredSheet.parse({ ...after, rows, revision: before.revision + 1 });
  const change: Action = {
    put: { ...sheetKey(name, of), ...stored },
    ...(before.revision === 0
      ? { condition: ifNotExists }
      : { condition: 'revision = :revision', values: { ':revision': before.revision } }),
  };
  const isNewlyLate = hasPendingRows(after) && !hasPendingRows(before);
  return isNewlyLate ? [change, { put: lateSheetKey(name, of) }] : [change];
};

/** The actions that store the full blocks of a sheet. */
export const blockActions = (
  name: TenantName,
  of: SheetName,
  { fullBlocks = [] }: Pick<DaySheet, 'fullBlocks'>,
): Action[] =>
  fullBlocks.map(({ last, ...block }) => ({ put: { ...blockKey(name, of, last), ...block } }));

/** The bytes of the rows in the action that changes a sheet; 0 for other actions. */
export const rowsBytesOf = (action: Action): number =>
  'put' in action && typeof action.put.rows === 'string'
    ? rowsBytesIn(action.put as { rows: string; late?: DaySheet['late'] })
    : 0;

/** The sheet of an item that was queried. */
export const namedSheetOf = (item: Item): NamedSheet => ({
  ...readSheetKey({ sk: z.string().parse(item.sk) }),
  ...StoredSheet.parse(item),
});

export type DaySheets = ReturnType<typeof openDaySheets>;

/** The sheets from or after a date, and up to or before another one. */
type SheetRange = { from?: string; after?: string | undefined; to?: string; before?: string };

export const sheetRange = (
  name: TenantName,
  { from = '', after, to = lastDate, before }: SheetRange,
): ReturnType<typeof sortRange> =>
  sortRange(tenantKey(name).pk, {
    first: `${sheetPrefix}${after === undefined ? from : `${after}#~`}`,
    last: `${sheetPrefix}${before ?? `${to}#~`}`,
  });

export const openDaySheets = (table: Pick<Table, 'getMany' | 'query' | 'queryPage'>) => {
  /**
   * Lists the sheets of a range, ordered by date and series. An entry posted during the read is in
   * the list completely or not at all, because each entry counts on one sheet.
   */
  const list = async (name: TenantName, range: SheetRange): Promise<NamedSheet[]> => {
    const { after = '', to = lastDate, before = to } = range;
    if (after >= before) return [];
    return (await table.query(sheetRange(name, range))).map(namedSheetOf);
  };

  /** The existing sheets with these names. */
  const findMany = async (
    name: TenantName,
    sheets: readonly SheetName[],
  ): Promise<NamedSheet[]> => {
    const items = await table.getMany(sheets.map((sheet) => sheetKey(name, sheet)));
    return [...items.values()].map(namedSheetOf);
  };

  return {
    list,
    findMany,

    /**
     * Like `list`, for the first dates of a range, as many as one call reads. Another call reads
     * the further sheets of the last date, if there may be some.
     * @param limit the number of sheets that the call reads at most
     */
    listPage: async (
      name: TenantName,
      range: SheetRange,
      limit?: number,
    ): Promise<{ sheets: NamedSheet[]; isLast: boolean }> => {
      const { items, next } = await table.queryPage({
        ...sheetRange(name, range),
        ...(limit !== undefined && { Limit: limit }),
      });
      const sheets = items.map(namedSheetOf);
      const last = sheets.at(-1);
      if (next === undefined || last === undefined) return { sheets, isLast: true };
      const further = journalSeries.filter((series) => series > last.series);
      const { date } = last;
      const ofLastDate = await findMany(
        name,
        further.map((series) => ({ series, date })),
      );
      return { sheets: [...sheets, ...ofLastDate], isLast: false };
    },
  };
};
