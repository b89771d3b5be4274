// The rows of a sheet made of entries anew, and compared with those that are kept.

import {
  type CountedEntry,
  mergeRows,
  rowsOfEntry,
  type SheetRow,
} from '#shared/domain/entries/day-sheet.ts';
import type { Difference } from './differences.ts';

/** Rows that wait to be merged are as many, so that each entry costs what its own lines do. */
const mergedAtOnce = 2_000;

export const openRows = () => {
  let rows: SheetRow[] = [];
  let waiting: SheetRow[] = [];
  const merge = (): SheetRow[] => {
    rows = mergeRows([...rows, ...waiting]);
    waiting = [];
    return rows;
  };
  return {
    add: (entry: CountedEntry): void => {
      waiting.push(...rowsOfEntry(entry));
      if (waiting.length > mergedAtOnce) merge();
    },
    all: merge,
  };
};

const titleOf = ({ account, currency }: SheetRow): string =>
  currency === null ? `row ${account}` : `row ${account} ${currency}`;

const amountsOf = (row: SheetRow | undefined): string =>
  row === undefined
    ? 'none'
    : `debit ${row.debit.toFixed(2)}, credit ${row.credit.toFixed(2)}, ` +
      `cash effect ${row.cashEffect.toFixed(2)}`;

export const isRow = ({ what }: Pick<Difference, 'what'>): boolean => what.startsWith('row ');

/** The rows that differ. A row of zeros is one like any other: it says that the account moved. */
export const rowFindings = (
  expected: readonly SheetRow[],
  found: readonly SheetRow[],
): Pick<Difference, 'what' | 'expected' | 'found'>[] => {
  const kept = new Map(found.map((row) => [titleOf(row), row]));
  const wanted = new Map(expected.map((row) => [titleOf(row), row]));
  return [...new Set([...wanted.keys(), ...kept.keys()])].flatMap((what) => {
    const pair = { expected: amountsOf(wanted.get(what)), found: amountsOf(kept.get(what)) };
    return pair.expected === pair.found ? [] : [{ what, ...pair }];
  });
};
