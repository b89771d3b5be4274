// Amounts of money: decimal text on the wire, big.js inside, never a float.

import Big from 'big.js';

/** What an amount looks like on the wire: up to 15 integer digits and 2 decimals. */
export const amountPattern = /^\d{1,15}(?:\.\d{1,2})?$/;

/** What is no amount and is a number all the same, whose total with others can be said. */
const numberPattern = /^\d{1,30}(?:\.\d{1,30})?$/;

/** Whether the total of amounts can be said, be it that this one has too many digits. */
export const isReadableAmount = (value: unknown): value is string | number | undefined =>
  value === undefined ||
  value === '' ||
  (['string', 'number'].includes(typeof value) && numberPattern.test(String(value)));

/**
 * Reads an amount. An omitted or empty side is zero; a JSON number arrives here as the digits that
 * the caller wrote, because the body parser refuses numbers that a float cannot hold.
 */
export const parseAmount = (value: string | number | undefined): Big =>
  value === undefined || value === '' ? new Big(0) : new Big(value);

/** Shows an amount with two decimals, as the contract does for every currency. */
export const formatAmount = (amount: Big): string => amount.toFixed(2, Big.roundHalfUp);

/** Shows a total of what may have too many decimals with all of them: it must not look balanced. */
export const formatExactly = (amount: Big): string =>
  fitsDecimals(amount, 2) ? formatAmount(amount) : amount.toFixed();

/** The largest amount, and the largest total, that the ledger keeps and shows. */
export const maximumAmount = new Big('999999999999999.99');

/** The sum of amounts, exactly. */
export const sumOf = (amounts: readonly Big[]): Big =>
  amounts.reduce((total, amount) => total.plus(amount), new Big(0));

/** Whether the amount needs no more decimals than these. */
export const fitsDecimals = (amount: Big, decimals: number): boolean =>
  amount.eq(amount.round(decimals, Big.roundDown));

/**
 * Converts line amounts so that the results add up to the converted total, to the last unit.
 *
 * The total is `sum(amounts) * rate`, rounded half up: so rounds article 5 of Council Regulation
 * (EC) No 1103/97, which is followed in this alone, since it is about other rates, those of the
 * currencies that the euro replaced (revisit when an accountant asks for another way). Each share
 * is rounded down, and the units still missing go one each to the largest remainders, ties in line
 * order.
 *
 * @param amounts not negative, in the transaction currency
 * @param rate reporting units for one transaction unit
 * @param decimals of the reporting currency
 */
export const convertAndAllocate = (
  amounts: readonly Big[],
  { rate, decimals }: { rate: Big; decimals: number },
): { total: Big; shares: Big[] } => {
  const unit = new Big(10).pow(-decimals);
  const exact = amounts.map((amount) => amount.times(rate));
  const total = sumOf(exact).round(decimals, Big.roundHalfUp);
  const shares = exact.map((amount) => amount.round(decimals, Big.roundDown));
  const unitsMissing = total.minus(sumOf(shares)).div(unit);
  const byRemainder = exact
    .map((amount, line) => ({ line, remainder: amount.minus(shares[line] ?? 0) }))
    .sort((one, other) => other.remainder.cmp(one.remainder) || one.line - other.line);
  for (const { line } of byRemainder.filter((_, place) => unitsMissing.gt(place))) {
    shares[line] = (shares[line] ?? new Big(0)).plus(unit);
  }
  return { total, shares };
};
