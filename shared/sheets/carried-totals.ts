// The totals of a tenant's accounts at the end of some dates, carried forward. A report starts from
// them, so it needs no sheets of earlier dates, however long the books are.
//
// The totals of a date never change. An entry that is posted to a carried date later adds its rows
// to the late rows of its sheet. Each sheet knows which totals lack its late rows, so a report adds
// exactly these, whichever totals it starts from.

import { formatThousandths } from '../money/thousandths.ts';
import type { DaySheet, LateRows } from './day-sheet.ts';
import {
  formatRowTexts,
  plusKnown,
  type RowAmounts,
  type RowTexts,
  rowAmountsOf,
} from './row-text.ts';

/** Whether the totals of a date lack rows with this mark. */
export const isLateFor = (date: string, { carriedOn }: Pick<LateRows, 'carriedOn'>): boolean =>
  carriedOn === undefined || carriedOn > date;

/** The late rows of a sheet that the totals of a date lack, as text. */
export const lateRowsFor = (date: string, { late = [] }: Pick<DaySheet, 'late'>): string[] =>
  late.filter((rows) => isLateFor(date, rows)).map(({ rows }) => rows);

/**
 * The text of the rows' sums, in the form of a sheet's rows, ordered by account and currency. Rows
 * of zeros are left out.
 * @param options.without rows to subtract
 */
export const sumOfRows = (
  texts: Iterable<string>,
  { without = [] }: { without?: Iterable<string> } = {},
): string => {
  const sums = new Map<string, RowAmounts>();
  const add = (text: string, sign: 1n | -1n): void => {
    for (const { name, currency, amounts, bookBalance } of rowAmountsOf(text)) {
      const key = `${name}\t${currency}`;
      const none: RowAmounts = { name, currency, amounts: [0n, 0n, 0n, 0n, 0n], bookBalance: 0n };
      const sum = sums.get(key) ?? none;
      sum.bookBalance = plusKnown(sum.bookBalance, bookBalance, sign);
      for (const [place, amount] of amounts.entries()) {
        sum.amounts[place] = (sum.amounts[place] ?? 0n) + sign * amount;
      }
      sums.set(key, sum);
    }
  };
  for (const text of texts) add(text, 1n);
  for (const text of without) add(text, -1n);
  const amountText = (amount: bigint): string => (amount === 0n ? '' : formatThousandths(amount));
  const rows = [...sums.values()]
    .filter(({ amounts, bookBalance = 0n }) => [...amounts, bookBalance].some((it) => it !== 0n))
    .map(({ name, currency, amounts, bookBalance }): RowTexts => {
      const [debit = '', credit = '', ...flows] = amounts.map(amountText);
      const [cashEffect = '', nonCash = '', disposed = ''] = flows;
      const booked = bookBalance === undefined ? '' : formatThousandths(bookBalance);
      return [name, currency, debit, credit, cashEffect, nonCash, disposed, booked];
    });
  return formatRowTexts(rows);
};
