import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amountPattern,
  convertAndAllocate,
  decimalsOf,
  formatAmount,
  parseAmount,
  sumOf,
} from '#shared/money/amounts.ts';

test.each(['0', '1.5', '1.50', '1.005', '0012.30', '999999999999999.99'])(
  '%j is an amount',
  (text) => {
    expect(text).toMatch(amountPattern);
  },
);

test.each([
  ...['1000000000000000', '1.0005', '1.', '.50', '-1.00', '+1.00', '1e3', '1,000.00', '1,50'],
  ...[' 1.00', '1.00\n', '１.００', '0x10', ''],
])('%j is not an amount', (text) => {
  expect(text).not.toMatch(amountPattern);
});

describe('parsing and formatting an amount', () => {
  test.each([
    ['a decimal string', '1234.5', '1234.50'],
    ['leading zeros', '0012.30', '12.30'],
    ['the largest amount', '999999999999999.99', '999999999999999.99'],
    ['a number', 0.1, '0.10'],
    ['a large whole number', 999_999_999_999_999, '999999999999999.00'],
    ['zero', '0.00', '0.00'],
    ['a number that is minus zero', -0, '0.00'],
    ['an empty side', '', '0.00'],
    ['an omitted side', undefined, '0.00'],
  ])('%s', (_title, value, shown) => {
    expect(formatAmount(parseAmount(value), 'EUR')).toBe(shown);
  });

  test('a formatted amount parses to the same amount', () => {
    const currency = fc.constantFrom('EUR', 'KWD');
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n - 1n }), currency, (units, code) => {
        const amount = new Big(String(units)).div(10 ** decimalsOf(code));
        expect(formatAmount(amount, code)).toMatch(amountPattern);
        expect(parseAmount(formatAmount(amount, code)).eq(amount)).toBe(true);
      }),
    );
  });
});

describe('converting and allocating', () => {
  test.each<[title: string, amounts: string, rate: string, total: string, shares: string]>([
    ['the largest remainder', '1.00 1.00 1.01', '0.3333', '1.00', '0.33 0.33 0.34'],
    ['the first of equal remainders', '1.00 1.00 1.00', '0.33333333333', '1.00', '0.34 0.33 0.33'],
    ['the last line with its larger remainder', '0.01 0.02 0.04', '0.2', '0.01', '0.00 0.00 0.01'],
    ['no line if the total rounds to zero', '0.01 0.01', '0.2', '0.00', '0.00 0.00'],
    ['a line of half a unit', '0.01', '0.5', '0.01', '0.01'],
    ['no line of zero', '0.00 0.01 0.00', '0.5', '0.01', '0.00 0.01 0.00'],
    ['whole units in a currency without cents', '10 20 30', '183.86', '11032', '1839 3677 5516'],
    ['no line if there are no lines', '', '1.5', '0.00', ''],
  ])('gives the missing unit to %s', (_title, amounts, rate, total, shares) => {
    const decimals = total.includes('.') ? 2 : 0;
    const lines = amounts.split(' ').filter((amount) => amount !== '');
    const result = convertAndAllocate(
      lines.map((amount) => new Big(amount)),
      { rate: new Big(rate), decimals },
    );
    expect(sumOf(result).toFixed(decimals)).toBe(total);
    expect(result.map((share) => share.toFixed(decimals)).join(' ')).toBe(shares);
  });

  /** Up to 15 integer digits, with zeros, repeats and small amounts well represented. */
  const thousandths = fc.oneof(
    fc.constant(0n),
    fc.bigInt({ min: 0n, max: 20n }),
    fc.bigInt({ min: 0n, max: 10n ** 7n }),
    fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }),
  );
  const manyThousandths = fc.oneof(
    fc.array(thousandths, { maxLength: 12 }),
    fc.array(thousandths, { minLength: 490, maxLength: 500, size: 'max' }),
  );
  /** Rates with eleven decimals, as integers. */
  const rateDecimals = 11n;
  const rate = fc.oneof(
    fc.bigInt({ min: 1n, max: 10n ** 16n }),
    fc.constantFrom(10n ** 11n, 5n * 10n ** 10n, 33_333_333_333n),
  );
  const decimals = fc.constantFrom(0, 2, 3);

  /** The same with integers: floors, then one unit for each of the largest remainders. */
  const inWholeNumbers = (lines: bigint[], { rate, decimals }: Case) => {
    const unit = 10n ** (3n + rateDecimals - BigInt(decimals));
    const exact = lines.map((amount) => amount * rate);
    const sum = exact.reduce((total, amount) => total + amount, 0n);
    const total = (2n * sum + unit) / (2n * unit);
    const shares = exact.map((amount) => amount / unit);
    const missing = total - shares.reduce((sum, share) => sum + share, 0n);
    const order = exact
      .map((amount, line) => ({ line, remainder: amount % unit }))
      .sort((one, other) => Number(other.remainder - one.remainder) || one.line - other.line);
    for (const { line } of order.slice(0, Number(missing)))
      shares[line] = (shares[line] ?? 0n) + 1n;
    return { exact, unit, total, shares };
  };
  type Case = { rate: bigint; decimals: number };

  const allocated = (lines: bigint[], { rate, decimals }: Case) => {
    const shares = convertAndAllocate(
      lines.map((amount) => new Big(String(amount)).div(1000)),
      { rate: new Big(`${rate}e-${rateDecimals}`), decimals },
    );
    return shares.map((share) => BigInt(share.times(new Big(10).pow(decimals)).toFixed()));
  };

  test('agrees with integer arithmetic for up to 500 lines, and the shares add up', () => {
    fc.assert(
      fc.property(manyThousandths, rate, decimals, (lines, rate, decimals) => {
        const { exact, unit, total, shares: expected } = inWholeNumbers(lines, { rate, decimals });
        const shares = allocated(lines, { rate, decimals });
        expect(shares).toEqual(expected);
        expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(total);
        for (const [line, share] of shares.entries()) {
          const distance = share * unit - (exact[line] ?? 0n);
          expect(distance > -unit && distance < unit).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});
