// Amounts as integer thousandths, for large sums that are too slow with big.js.
//
// No currency has more than three decimals, so thousandths are exact. A report over five years and
// 60 accounts adds up 180,000 amounts: about 60 ms of CPU time with big.js, 15 ms with this module
// (Node 24 on the machine of tests/bench/results.md). All other code uses big.js.

const pattern = /^(-?\d+)(?:\.(\d{1,3}))?$/;

/** @param text a number with at most three decimals; empty text is zero */
export const thousandthsOf = (text: string): bigint => {
  if (text === '') return 0n;
  const point = text.length - 3;
  if (text[point] === '.') return BigInt(`${text.slice(0, point)}${text.slice(point + 1)}0`);
  const [, whole, decimals = ''] = pattern.exec(text) ?? [];
  if (whole === undefined) throw new Error('not an amount with at most three decimals');
  return BigInt(whole + decimals.padEnd(3, '0'));
};

/** Formats with three decimals, or with two if the third is zero. */
export const formatThousandths = (thousandths: bigint): string => {
  const sign = thousandths < 0n ? '-' : '';
  const digits = String(thousandths < 0n ? -thousandths : thousandths).padStart(4, '0');
  const decimals = digits.endsWith('0') ? digits.slice(-3, -1) : digits.slice(-3);
  return `${sign}${digits.slice(0, -3)}.${decimals}`;
};
