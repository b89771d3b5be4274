// Amounts as whole hundredths, for sums over more of them than big.js adds up in time.
//
// The ledger keeps two decimals of every currency, so hundredths are exact. A report of five years
// of 60 accounts adds up 180,000 amounts: that takes big.js some 60 ms of a processor, and this 15
// (Node 24 on the machine of tests/bench/results.md). Everywhere else amounts are big.js.

const pattern = /^(-?\d+)(?:\.(\d{1,2}))?$/;

/** @param text a decimal of at most two decimals; empty text is zero */
export const hundredthsOf = (text: string): bigint => {
  if (text === '') return 0n;
  const point = text.length - 3;
  if (text[point] === '.') return BigInt(text.slice(0, point) + text.slice(point + 1));
  const [, whole, decimals = ''] = pattern.exec(text) ?? [];
  if (whole === undefined) throw new Error('an amount has more than two decimals, or is none');
  return BigInt(whole + decimals.padEnd(2, '0'));
};

/** The amount with two decimals. */
export const formatHundredths = (hundredths: bigint): string => {
  const sign = hundredths < 0n ? '-' : '';
  const digits = String(hundredths < 0n ? -hundredths : hundredths).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
