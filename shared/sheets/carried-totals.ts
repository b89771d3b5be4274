// The totals of a tenant's accounts at the end of some dates, carried forward. A report starts from
// them, so it needs no sheets of earlier dates, however long the books are.
//
// The totals of a date never change. An entry that is posted to a carried date later adds its rows
// to the late rows of its sheet. Each sheet knows which totals lack its late rows, so a report adds
// exactly these, whichever totals it starts from.

import { formatThousandths, thousandthsOf } from '../money/thousandths.ts';
import { type DaySheet, type LateRows, rowTextsOf } from './day-sheet.ts';

/** Whether the totals of a date lack rows with this mark. */
export const isLateFor = (date: string, { carriedOn }: Pick<LateRows, 'carriedOn'>): boolean =>
  carriedOn === undefined || carriedOn > date;

/** The late rows of a sheet that the totals of a date lack, as text. */
export const lateRowsFor = (date: string, { late = [] }: Pick<DaySheet, 'late'>): string[] =>
  late.filter((rows) => isLateFor(date, rows)).map(({ rows }) => rows);

/** Debit, credit and cash effect of an account, in thousandths. */
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
      sum.debit += sign * thousandthsOf(debit);
      sum.credit += sign * thousandthsOf(credit);
      sum.cashEffect += sign * thousandthsOf(cashEffect);
      sums.set(key, sum);
    }
  };
  for (const text of texts) add(text, 1n);
  for (const text of without) add(text, -1n);
  const amountText = (amount: bigint): string => (amount === 0n ? '' : formatThousandths(amount));
  return [...sums]
    .filter(([, sum]) => sum.debit !== 0n || sum.credit !== 0n || sum.cashEffect !== 0n)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, { debit, credit, cashEffect }]) =>
      [key, ...[debit, credit, cashEffect].map(amountText)].join('\t').replace(/\t+$/, ''),
    )
    .join('\n');
};
