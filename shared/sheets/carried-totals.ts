// The totals of a tenant's accounts at the end of a month, carried forward. A report starts from
// them, so it needs no sheets of earlier months, however long the books are.
//
// The totals of a month never change. An entry that is posted to a carried month later adds its
// rows to the late rows of its sheet. Each sheet knows which carried months lack its late rows, so a
// report adds exactly these, whichever month it starts from.

import { addDays } from '../money/dates.ts';
import { formatHundredths, hundredthsOf } from '../money/hundredths.ts';
import type { DaySheet, LateRows } from './day-sheet.ts';
import { rowTextsOf } from './day-sheet.ts';

/** The carried months of a tenant that have entries, in order, as YYYY-MM. */
export type CarriedMonths = readonly string[];

export const monthOf = (date: string): string => date.slice(0, 7);

/**
 * A month is carried when it ended this many days ago. Earlier, most entries of a month are still
 * posted, and each would be a late one.
 */
export const carriedAfterDays = 14;

/** The month after this one. */
export const monthAfter = (month: string): string => {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
};

/** The last month that is carried on this date. */
export const lastMonthToCarry = (today: string): string => {
  const [year, month] = addDays(today, -carriedAfterDays).split('-').map(Number) as [
    number,
    number,
  ];
  const before = new Date(Date.UTC(year, month - 2, 1));
  return monthOf(before.toISOString());
};

/** The date on which a month is carried. */
export const carryDateOf = (month: string): string => {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
  return addDays(next, carriedAfterDays);
};

/** The last carried month that ended before this date; `undefined` if there is none. */
export const carriedBefore = (date: string, months: CarriedMonths): string | undefined =>
  months.findLast((month) => month < monthOf(date));

/** Whether the totals of a month lack rows with this mark. */
export const isLateFor = (month: string, { carriedFrom }: Pick<LateRows, 'carriedFrom'>): boolean =>
  carriedFrom === undefined || carriedFrom > month;

/** The late rows of a sheet that the totals of a month lack, as text. */
export const lateRowsFor = (month: string, { late = [] }: Pick<DaySheet, 'late'>): string[] =>
  late.filter((rows) => isLateFor(month, rows)).map(({ rows }) => rows);

/** Debit, credit and cash effect of an account, in hundredths. */
type Totals = { debit: bigint; credit: bigint; cashEffect: bigint };

/**
 * The text of the rows' sums, in the form of a sheet's rows, ordered by account and currency. Rows
 * of zeros are left out.
 * @param options.without rows to subtract
 */
export const sumOfRows = (
  texts: Iterable<string>,
  { without = [] }: { without?: Iterable<string> } = {},
): string => {
  const sums = new Map<string, Totals>();
  const add = (text: string, sign: 1n | -1n): void => {
    for (const [account, currency, debit, credit, cashEffect] of rowTextsOf(text)) {
      const key = `${account}\t${currency}`;
      const sum = sums.get(key) ?? { debit: 0n, credit: 0n, cashEffect: 0n };
      sum.debit += sign * hundredthsOf(debit);
      sum.credit += sign * hundredthsOf(credit);
      sum.cashEffect += sign * hundredthsOf(cashEffect);
      sums.set(key, sum);
    }
  };
  for (const text of texts) add(text, 1n);
  for (const text of without) add(text, -1n);
  const amountText = (amount: bigint): string => (amount === 0n ? '' : formatHundredths(amount));
  return [...sums]
    .filter(([, sum]) => sum.debit !== 0n || sum.credit !== 0n || sum.cashEffect !== 0n)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, { debit, credit, cashEffect }]) =>
      [key, ...[debit, credit, cashEffect].map(amountText)].join('\t').replace(/\t+$/, ''),
    )
    .join('\n');
};
