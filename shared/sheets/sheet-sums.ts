// Sums rows by account, before a report's period and within it.

import { BooksDiffer } from '../entries/entry-checks.ts';
import { thousandthsOf } from '../money/thousandths.ts';
import { rowTextsOf } from './day-sheet.ts';

/** Totals of both sides, in thousandths. */
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

/** The rows of a report's period, as texts in the form of a sheet's rows. */
export type PeriodRows = {
  /** The rows of all dates before the period. */
  before: readonly string[];
  /** The rows of the period; if `isFromStart`, of all dates up to its end. */
  within: readonly string[];
  isFromStart: boolean;
};

/** @throws BooksDiffer if total debits and total credits differ */
export const sumPeriod = ({ before, within, isFromStart }: PeriodRows): AccountSums[] => {
  const byRow = new Map<string, AccountSums>();
  const add = (texts: readonly string[], part: 'before' | 'within', sign: 1n | -1n): void => {
    for (const text of texts) {
      for (const [account, currency, debit, credit, cashEffect] of rowTextsOf(text)) {
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
        sum[part].debit += sign * thousandthsOf(debit);
        sum[part].credit += sign * thousandthsOf(credit);
        if (part === 'within') sum.cashEffect += sign * thousandthsOf(cashEffect);
      }
    }
  };
  add(before, 'before', 1n);
  add(within, 'within', 1n);
  if (isFromStart) add(before, 'within', -1n);
  const sums = [...byRow.values()];
  assertBalanced(sums);
  return sums;
};
