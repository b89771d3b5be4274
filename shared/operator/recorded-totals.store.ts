// Reads the carried totals of a tenant together with the sheets that they must agree with.

import { byCode } from '../accounts/chart-reader.store.ts';
import { digestOf } from '../entries/entry-hash.ts';
import { carriedStateOf, openCarriedTotals } from '../sheets/carried-totals.store.ts';
import { lateRowsFor, sumOfRows } from '../sheets/carried-totals.ts';
import { openCarryForward } from '../sheets/carry-forward.store.ts';
import { openDaySheets } from '../sheets/day-sheets.store.ts';
import { openPeriodRows } from '../sheets/period-rows.store.ts';
import {
  codeInName,
  codesByRowName,
  formatRowTexts,
  type RowName,
  type RowTexts,
  rowNameOf,
  rowTextsOf,
} from '../sheets/row-text.ts';
import { carriedKey } from '../table/carried-keys.ts';
import { accountPrefix, type TenantName, tenantKey } from '../table/keys.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import type { Table } from '../table/table.ts';

/** `expected` is computed from the sheets; `found` is stored. Both are lines of text. */
type RecordedTotals = { what: string; expected: string[]; found: string[] };

/** The rows as lines with codes. An account with rows under both of its names has one line. */
const linesOf = (text: string, codes: ReadonlyMap<RowName, string>): string[] => {
  const named = rowTextsOf(text).map(([name, ...texts]): RowTexts => {
    const code = codes.get(name);
    return [code === undefined ? name : rowNameOf({ code }), ...texts];
  });
  return rowTextsOf(sumOfRows(named.map((row) => formatRowTexts([row])))).map(([name, ...texts]) =>
    [codeInName(name) ?? `account number ${name}`, ...texts].join('\t').trimEnd(),
  );
};

export type RecordedTotalsStore = ReturnType<typeof openRecordedTotals>;

export const openRecordedTotals = (table: Table) => {
  const daySheets = openDaySheets(table);
  const carriedTotals = openCarriedTotals(table);

  return {
    /** The rows of the totals of each carried date, and the digest of the last one. */
    list: async (name: TenantName): Promise<RecordedTotals[]> => {
      const carried = carriedStateOf(await table.get(carriedKey(name)));
      const last = carried.dates.at(-1);
      if (last === undefined) return [];
      const sheets = await daySheets.list(name, { to: last });
      const accounts = byCode(await table.query(prefixRange(tenantKey(name).pk, accountPrefix)));
      const codes = codesByRowName(accounts.values());
      const totals: RecordedTotals[] = [];
      let [rows, after] = ['', ''];
      for (const date of carried.dates) {
        const earlier = sheets.filter((sheet) => sheet.date <= date);
        const added = earlier.filter((sheet) => sheet.date > after);
        rows = sumOfRows([rows, ...added.map((sheet) => sheet.rows)]);
        after = date;
        const late = earlier.flatMap((sheet) => lateRowsFor(date, sheet));
        totals.push({
          what: `totals carried on ${date}`,
          expected: linesOf(sumOfRows([rows], { without: late }), codes),
          found: linesOf(sumOfRows(await carriedTotals.getRows(name, date)), codes),
        });
      }
      const late = await carriedTotals.listLate(name);
      const upToLast = [{ to: last }];
      const { digest } = await openPeriodRows(table).read(name, { ...carried, late }, upToLast);
      const what = `digest carried on ${last}`;
      return [...totals, { what, expected: [digestOf(sheets)], found: [digest] }];
    },

    /** Makes the next runs carry all totals of a tenant again. */
    restart: (name: TenantName): Promise<void> => openCarryForward(table).restart(name, new Date()),
  };
};
