// Sums rows by account, before a report's period and within it.

import { BooksDiffer } from '../entries/entry-checks.ts';
import { plusKnown, type RowName, rowAmountsOf } from './row-text.ts';

/** Totals of both sides, in thousandths. */
export type Sides = { debit: bigint; credit: bigint };

/** The sums of an account in a transaction currency, or in book amounts if `currency` is null. */
export type AccountSums = {
  account: string;
  currency: string | null;
  before: Sides;
  within: Sides;
  /** The cash flows of the period, the part in transactions without cash, and in disposals. */
  cashEffect: bigint;
  nonCash: bigint;
  disposed: bigint;
  /**
   * The book amounts of the period in this currency; `undefined` if they are not known, or without
   * a currency.
   */
  bookBalance: bigint | undefined;
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

/**
 * @param codeOf the code of an account by its name on sheets. Accounts without one have no sums.
 * @throws BooksDiffer if total debits and total credits differ
 */
export const sumPeriod = (
  { before, within, isFromStart }: PeriodRows,
  codeOf: (name: RowName) => string | undefined,
): AccountSums[] => {
  /** By code and currency; of accounts without a code, by name. */
  const [sums, others] = [new Map<string, AccountSums>(), new Map<string, AccountSums>()];
  const sumOf = (name: RowName, currency: string): AccountSums => {
    const code = codeOf(name);
    const [account, of] = code === undefined ? [name, others] : [code, sums];
    const key = `${account}\t${currency}`;
    const sum = of.get(key) ?? {
      account,
      currency: currency === '' ? null : currency,
      before: { ...noSides },
      within: { ...noSides },
      cashEffect: 0n,
      nonCash: 0n,
      disposed: 0n,
      bookBalance: currency === '' ? undefined : 0n,
    };
    of.set(key, sum);
    return sum;
  };
  const add = (texts: readonly string[], part: 'before' | 'within', sign: 1n | -1n): void => {
    for (const text of texts) {
      for (const { name, currency, amounts, bookBalance } of rowAmountsOf(text)) {
        const [debit, credit, cashEffect, nonCash, disposed] = amounts;
        const sum = sumOf(name, currency);
        sum[part].debit += sign * debit;
        sum[part].credit += sign * credit;
        if (part === 'before') continue;
        sum.cashEffect += sign * cashEffect;
        sum.nonCash += sign * nonCash;
        sum.disposed += sign * disposed;
        sum.bookBalance = plusKnown(sum.bookBalance, bookBalance, sign);
      }
    }
  };
  add(before, 'before', 1n);
  add(within, 'within', 1n);
  if (isFromStart) add(before, 'within', -1n);
  assertBalanced([...sums.values(), ...others.values()]);
  return [...sums.values()];
};
