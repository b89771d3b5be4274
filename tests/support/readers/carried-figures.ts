// Whether reports that start from carried totals agree with the sum of all sheets.

import { expect } from 'vitest';
import { digestOf } from '#shared/entries/entry-hash.ts';
import { carriedStateOf, openCarriedTotals } from '#shared/sheets/carried-totals.store.ts';
import { openDaySheets } from '#shared/sheets/day-sheets.store.ts';
import { openPeriodRows } from '#shared/sheets/period-rows.store.ts';
import { codeInName } from '#shared/sheets/row-text.ts';
import { type AccountSums, type PeriodRows, sumPeriod } from '#shared/sheets/sheet-sums.ts';
import { carriedKey } from '#shared/table/carried-keys.ts';
import type { TenantName } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { sumSheets } from '../builders/statement-books.ts';

const inOrder = (sums: readonly AccountSums[]) =>
  sums
    .map((sum) => ({ ...sum, key: `${sum.account} ${sum.currency}` }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));

const sumsOf = (rows: PeriodRows): AccountSums[] =>
  sumPeriod(rows, (name) => codeInName(name) ?? name);

/** Expects the same sums and digest of periods, which are read in several ways. */
export const expectCarriedFigures = async (
  table: Table,
  tenant: TenantName,
  ...periods: { from?: string; to: string }[]
): Promise<void> => {
  const periodRows = openPeriodRows(table);
  const carriedTotals = openCarriedTotals(table);
  const state = carriedStateOf(await table.get(carriedKey(tenant)));
  const carried = { ...state, late: await carriedTotals.listLate(tenant) };
  const sheets = await openDaySheets(table).list(tenant, {});
  const sheetsTo = (to: string) => sheets.filter(({ date }) => date <= to);
  const together = await periodRows.read(tenant, carried, periods);
  const last = periods.map(({ to }) => to).toSorted();
  expect(together.digest).toBe(digestOf(sheetsTo(last.at(-1) ?? '')));
  for (const [place, { from = '0001-01-01', to }] of periods.entries()) {
    const expected = inOrder(sumSheets(sheetsTo(to), from));
    expect(inOrder(together.periods.slice(place, place + 1).flatMap(sumsOf))).toEqual(expected);
    const { before, days, digest } = await periodRows.readDays(tenant, carried, { from, to });
    const within = days.map((sheet) => sheet.rows);
    expect(inOrder(sumsOf({ before, within, isFromStart: false }))).toEqual(expected);
    expect(digest).toBe(digestOf(sheetsTo(to)));
  }
};
