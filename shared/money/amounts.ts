// Amounts of money: decimal strings on the wire, big.js in memory, never a float. Also the ISO 4217
// currencies and their decimals. Intl is not used: it has wrong decimals for 16 currencies, and it
// keeps withdrawn codes.

import Big from 'big.js';
import iso4217 from './iso4217.json' with { type: 'json' };
import { formatThousandths } from './thousandths.ts';
import withdrawn from './withdrawn-currencies.json' with { type: 'json' };

/** Up to 15 integer digits and 3 decimals. Most currencies have fewer: `decimalsOf`. */
export const amountPattern = /^\d{1,15}(?:\.\d{1,3})?$/;

/** A number that is too long or too precise for an amount, but can still be added up. */
const numberPattern = /^\d{1,30}(?:\.\d{1,30})?$/;

/** Whether the value can be added up, even if it has too many digits for an amount. */
export const isReadableAmount = (value: unknown): value is string | number | undefined =>
  value === undefined ||
  value === '' ||
  (['string', 'number'].includes(typeof value) && numberPattern.test(String(value)));

/**
 * Reads an amount. An omitted or empty amount is zero. A JSON number keeps the digits of the
 * request, because the body parser refuses numbers that a float cannot represent.
 */
export const parseAmount = (value: string | number | undefined): Big =>
  value === undefined || value === '' ? new Big(0) : new Big(value);

/** Formats with the decimals that replies show for the currency. */
export const formatAmount = (amount: Big, currency: string): string =>
  amount.toFixed(shownDecimalsOf(currency), Big.roundHalfUp);

/** Formats with all decimals, so that an unbalanced total does not look balanced. */
export const formatExactly = (amount: Big, currency: string | undefined): string => {
  const decimals = currency === undefined ? usualDecimals : shownDecimalsOf(currency);
  return fitsDecimals(amount, decimals) ? amount.toFixed(decimals) : amount.toFixed();
};

/** The maximum of an amount and of a total. */
export const maximumAmount = new Big('999999999999999.99');

export const sumOf = (amounts: readonly Big[]): Big =>
  amounts.reduce((total, amount) => total.plus(amount), new Big(0));

export const fitsDecimals = (amount: Big, decimals: number): boolean =>
  amount.eq(amount.round(decimals, Big.roundDown));

/**
 * Converts line amounts. The results add up exactly to the converted total.
 *
 * The total is `sum(amounts) * rate`, rounded half up like article 5 of Council Regulation (EC) No
 * 1103/97. Nothing else of that regulation applies: it covers the currencies that the euro
 * replaced. Revisit when an accountant asks for another rounding. Each share is rounded down, and
 * the missing units go to the largest remainders, one each, in line order if equal.
 *
 * @param amounts not negative, in the transaction currency
 * @param rate reporting units for one transaction unit
 * @param decimals of the reporting currency
 */
export const convertAndAllocate = (
  amounts: readonly Big[],
  { rate, decimals }: { rate: Big; decimals: number },
): Big[] => {
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
  return shares;
};

/**
 * The decimals of the active currencies. Metals, test codes and units of account have no minor
 * units, so their amounts have no defined precision and they are not accepted. Revisit when a
 * tenant keeps books in XDR.
 */
const minorUnitsByCode = new Map(
  iso4217.currencies.flatMap(({ code, minorUnits }) =>
    minorUnits === null ? [] : [[code, minorUnits] as const],
  ),
);

/**
 * The contract gives amounts two decimals. Only the seven currencies with three minor digits have
 * more. The two codes with four are units of account, which nobody pays with.
 */
const [usualDecimals, mostDecimals] = [2, 3];

const withdrawnByCode = new Map(withdrawn.currencies.map((row) => [row.code, row]));

/** Whether the code is an active currency. */
export const isCurrency = (code: string): boolean => minorUnitsByCode.has(code);

/** The last day (YYYY-MM-DD) of a withdrawn currency; `undefined` for any other code. */
export const lastDayOf = (code: string): string | undefined => withdrawnByCode.get(code)?.lastDay;

/** Whether the code is an active or a withdrawn currency. */
export const wasEverCurrency = (code: string): boolean =>
  isCurrency(code) || withdrawnByCode.has(code);

/** The maximum decimals of an amount: the currency's minor units. */
export const decimalsOf = (code: string): number => {
  const minorUnits = minorUnitsByCode.get(code) ?? withdrawnByCode.get(code)?.minorUnits;
  if (minorUnits === undefined) throw new RangeError(`${code} is not a currency`);
  return minorUnits === mostDecimals ? mostDecimals : Math.min(minorUnits, usualDecimals);
};

/** The decimals that replies show: three for the currencies that have them, otherwise two. */
export const shownDecimalsOf = (code: string): number => Math.max(decimalsOf(code), usualDecimals);

/** Formats thousandths as an amount in a currency. */
export type AmountFormat = (thousandths: bigint) => string;

/** The format of sums in a currency, with the decimals that replies show for it. */
export const amountFormatOf = (currency: string): AmountFormat => {
  if (shownDecimalsOf(currency) === usualDecimals) return formatThousandths;
  return (thousandths) => {
    const text = formatThousandths(thousandths);
    return text[text.length - 3] === '.' ? `${text}0` : text;
  };
};
