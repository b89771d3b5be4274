// Sheets in the snapshot of a transaction, which can be new. A new sheet of a carried date begins
// with late rows.

import * as z from 'zod/mini';
import { carriedKey } from '../table/carried-keys.ts';
import { sheetKey, type TenantName } from '../table/keys.ts';
import { itemIn, type Snapshot } from '../table/optimistic-write.ts';
import type { Action } from '../table/table.ts';
import { canBeCarried } from './carried-dates.ts';
import { type DaySheet, emptySheet, type SheetName } from './day-sheet.ts';
import { sheetOf } from './day-sheets.store.ts';

/** All dates up to `closed` are carried, or are being carried. */
const StoredClosed = z.object({ closed: z.optional(z.string()) });

/**
 * The sheet of a date in a snapshot. The snapshot says which dates are closed only after the check
 * of `newSheetCheck` failed.
 */
export const sheetIn = (snapshot: Snapshot, name: TenantName, of: SheetName): DaySheet => {
  const item = itemIn(snapshot, sheetKey(name, of));
  if (item !== undefined) return sheetOf(item);
  const { closed = '' } = StoredClosed.parse(itemIn(snapshot, carriedKey(name)) ?? {});
  return of.date <= closed ? { ...emptySheet, late: [] } : emptySheet;
};

/**
 * The check of the transaction that creates these sheets: their dates are not carried. Sheets with
 * late rows need none, nor do recent dates.
 * @param today the present date
 */
export const newSheetCheck = (
  name: TenantName,
  sheets: ReadonlyMap<string, DaySheet>,
  today: string,
): Action[] => {
  const [first] = [...sheets]
    .filter(([date, { revision, late }]) => {
      const isNew = revision === 0 && late === undefined;
      return isNew && canBeCarried(date, today);
    })
    .map(([date]) => date)
    .sort();
  if (first === undefined) return [];
  const condition = 'attribute_not_exists(closed) OR closed < :first';
  return [{ check: carriedKey(name), condition, values: { ':first': first } }];
};
