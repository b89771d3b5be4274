// ISO 4217: which codes are money, and how many decimals each has.
// Intl is not used: it is wrong about the decimals of 16 currencies and keeps withdrawn codes.

import iso4217 from './data/iso4217.json' with { type: 'json' };
import withdrawn from './data/withdrawn-currencies.json' with { type: 'json' };

/**
 * Decimals by code, of the current codes alone. Metals, test codes and units of account have no
 * decimals, so that an amount has no defined precision, and are not money here. Revisit when
 * somebody keeps books in XDR.
 */
const minorUnitsByCode = new Map(
  iso4217.currencies.flatMap(({ code, minorUnits }) =>
    minorUnits === null ? [] : [[code, minorUnits] as const],
  ),
);

/**
 * Amounts have two decimals on the wire (contract), so no currency gets more than that; a yen has
 * no cents and gets none. Revisit when the contract gets three decimals for the dinars.
 */
const decimalsOnTheWire = 2;

const withdrawnByCode = new Map(withdrawn.currencies.map((row) => [row.code, row]));

/** Whether amounts can be held in this currency today. */
export const isCurrency = (code: string): boolean => minorUnitsByCode.has(code);

/** The last day (YYYY-MM-DD) of a currency that was withdrawn; `undefined` for any other code. */
export const lastDayOf = (code: string): string | undefined => withdrawnByCode.get(code)?.lastDay;

/** Whether amounts can be held in this currency, or could be once. */
export const wasEverCurrency = (code: string): boolean =>
  isCurrency(code) || withdrawnByCode.has(code);

/** The decimals an amount of this currency may use: its minor units, and at most two. */
export const decimalsOf = (code: string): number => {
  const minorUnits = minorUnitsByCode.get(code) ?? withdrawnByCode.get(code)?.minorUnits;
  if (minorUnits === undefined) throw new RangeError(`${code} is not a currency`);
  return Math.min(minorUnits, decimalsOnTheWire);
};
