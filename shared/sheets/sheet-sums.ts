// Sums sheets by account, before a report's first date and from it on.

import { BooksDiffer } from '../entries/entry-checks.ts';
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
  /** The cash effect of `within`: credit less debit. */
  cashEffect: bigint;
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

const assertBalanced = (sums: readonly AccountSums[]): void => {
  const booked = sums.filter(({ currency }) => currency === null);
  for (const part of ['before', 'within'] as const) {
    if (balanceOf(booked.map((sum) => sum[part]).reduce(plus, noSides)) === 0n) continue;
    throw new BooksDiffer(`debits and credits of all accounts differ ${part} the period`);
  }
};

/**
 * @param from the first date of the report; by default all sheets are `within`
 * @throws BooksDiffer if total debits and total credits differ
 */
export const sumSheets = (
  sheets: readonly Pick<DatedSheetText, 'date' | 'rows'>[],
  from = '',
): AccountSums[] => {
  const byRow = new Map<string, AccountSums>();
  for (const { date, rows } of sheets) {
    const part = date < from ? 'before' : 'within';
    for (const [account, currency, debit, credit, cashEffect] of rowTextsOf(rows)) {
      const key = `${account}\t${currency}`;
      let sum = byRow.get(key);
      if (sum === undefined) {
        sum = {
          account,
          currency: currency === '' ? null : currency,
          before: { ...noSides },
          within: { ...noSides },
          cashEffect: 0n,
        };
        byRow.set(key, sum);
      }
      sum[part].debit += hundredthsOf(debit);
      sum[part].credit += hundredthsOf(credit);
      if (part === 'within') sum.cashEffect += hundredthsOf(cashEffect);
    }
  }
  const sums = [...byRow.values()];
  assertBalanced(sums);
  return sums;
};
