// Sums sheets per account, before a report's first date and from it on.

import { hundredthsOf } from '../money/hundredths.ts';
import { type DatedSheetText, rowTextsOf } from './day-sheet.ts';

/** Totals of both sides, in hundredths. */
export type Sides = { debit: bigint; credit: bigint };

/** The sums of an account in a transaction currency, or in book amounts if `currency` is null. */
export type AccountSums = {
  account: string;
  currency: string | null;
  before: Sides;
  within: Sides;
};

export const noSides: Sides = { debit: 0n, credit: 0n };

export const plus = (one: Sides, other: Sides): Sides => ({
  debit: one.debit + other.debit,
  credit: one.credit + other.credit,
});

/** Nets both sides on the larger one. */
export const netOf = ({ debit, credit }: Sides): Sides =>
  debit >= credit ? { debit: debit - credit, credit: 0n } : { debit: 0n, credit: credit - debit };

/** Positive for a debit. */
export const balanceOf = ({ debit, credit }: Sides): bigint => debit - credit;

/** @param from the first date of the report; by default all sheets are `within` */
export const sumSheets = (
  sheets: readonly Pick<DatedSheetText, 'date' | 'rows'>[],
  from = '',
): AccountSums[] => {
  const sums = new Map<string, AccountSums>();
  for (const { date, rows } of sheets) {
    const part = date < from ? 'before' : 'within';
    for (const [account, currency, debit, credit] of rowTextsOf(rows)) {
      const key = `${account}\t${currency}`;
      let sum = sums.get(key);
      if (sum === undefined) {
        const none = { before: { ...noSides }, within: { ...noSides } };
        sum = { account, currency: currency === '' ? null : currency, ...none };
        sums.set(key, sum);
      }
      sum[part].debit += hundredthsOf(debit);
      sum[part].credit += hundredthsOf(credit);
    }
  }
  return [...sums.values()];
};
