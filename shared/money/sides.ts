// The two sides of double entry.

import Big from 'big.js';
import { sumOf } from './amounts.ts';

export type Sides = { debit: Big; credit: Big };

/** A positive amount is a debit, a negative amount a credit. */
export const sidesOf = (amount: Big): Sides => ({
  debit: amount.gt(0) ? amount : new Big(0),
  credit: amount.lt(0) ? amount.abs() : new Big(0),
});

export const totalOf = (lines: readonly Sides[], side: keyof Sides): Big =>
  sumOf(lines.map((line) => line[side]));

/** Debits minus credits. */
export const balanceOf = (lines: readonly Sides[]): Big =>
  totalOf(lines, 'debit').minus(totalOf(lines, 'credit'));
