// ISO 4217 currencies and their decimals.
// Intl is not used: it has wrong decimals for 16 currencies and keeps withdrawn codes.

import iso4217 from './iso4217.json' with { type: 'json' };
import withdrawn from './withdrawn-currencies.json' with { type: 'json' };

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
 * The contract gives amounts two decimals, so no currency can use more. Revisit when the contract
 * allows three decimals for the dinars.
 */
const decimalsOnTheWire = 2;

const withdrawnByCode = new Map(withdrawn.currencies.map((row) => [row.code, row]));

/** Whether the code is an active currency. */
export const isCurrency = (code: string): boolean => minorUnitsByCode.has(code);

/** The last day (YYYY-MM-DD) of a withdrawn currency; `undefined` for any other code. */
export const lastDayOf = (code: string): string | undefined => withdrawnByCode.get(code)?.lastDay;

/** Whether the code is an active or a withdrawn currency. */
export const wasEverCurrency = (code: string): boolean =>
  isCurrency(code) || withdrawnByCode.has(code);

/** The maximum decimals of an amount: the currency's minor units, but at most two. */
export const decimalsOf = (code: string): number => {
  const minorUnits = minorUnitsByCode.get(code) ?? withdrawnByCode.get(code)?.minorUnits;
  if (minorUnits === undefined) throw new RangeError(`${code} is not a currency`);
  return Math.min(minorUnits, decimalsOnTheWire);
};
