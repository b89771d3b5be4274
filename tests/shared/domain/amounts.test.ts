import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amountPattern,
  convertAndAllocate,
  fitsDecimals,
  formatAmount,
  parseAmount,
  sumOf,
} from '#shared/domain/amounts.ts';

const big = (texts: string[]): Big[] => texts.map((text) => new Big(text));

describe('the form of an amount', () => {
  test.each([
    ['zero', '0', true],
    ['one decimal', '1.5', true],
    ['two decimals', '1.50', true],
    ['leading zeros', '0012.30', true],
    ['the largest amount', '999999999999999.99', true],
    ['sixteen integer digits', '1000000000000000', false],
    ['three decimals', '1.005', false],
    ['a point without decimals', '1.', false],
    ['a point without an integer part', '.50', false],
    ['a minus sign', '-1.00', false],
    ['a plus sign', '+1.00', false],
    ['an exponent', '1e3', false],
    ['a thousands separator', '1,000.00', false],
    ['a decimal comma', '1,50', false],
    ['a blank in front', ' 1.00', false],
    ['a line end behind', '1.00\n', false],
    ['full-width digits', '１.００', false],
    ['hexadecimal digits', '0x10', false],
    ['nothing', '', false],
  ])('%s', (_title, text, accepted) => {
    expect(amountPattern.test(text)).toBe(accepted);
  });
});

describe('reading and showing an amount', () => {
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
    expect(formatAmount(parseAmount(value))).toBe(shown);
  });

  test('what is shown reads back as the same amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n - 1n }), (cents) => {
        const amount = new Big(String(cents)).div(100);
        expect(formatAmount(amount)).toMatch(amountPattern);
        expect(parseAmount(formatAmount(amount)).eq(amount)).toBe(true);
      }),
    );
  });

  test('a sum of ten times 0.1 is one, which floats do not find', () => {
    expect(sumOf(Array.from({ length: 10 }, () => parseAmount('0.1'))).eq(1)).toBe(true);
    expect(sumOf([]).eq(0)).toBe(true);
  });

  test.each([
    ['1', 0, true],
    ['1.00', 0, true],
    ['1.01', 0, false],
    ['1.01', 2, true],
    ['1.015', 2, false],
    ['0', 0, true],
  ])('%s needs no more than %d decimals: %s', (text, decimals, fits) => {
    expect(fitsDecimals(new Big(text), decimals)).toBe(fits);
  });
});

describe('converting and allocating', () => {
  test.each([
    {
      title: 'gives the missing unit to the largest remainder',
      amounts: ['1.00', '1.00', '1.01'],
      rate: '0.3333',
      decimals: 2,
      expected: { total: '1.00', shares: ['0.33', '0.33', '0.34'] },
    },
    {
      title: 'gives it to the first line where remainders are the same',
      amounts: ['1.00', '1.00', '1.00'],
      rate: '0.33333333333',
      decimals: 2,
      expected: { total: '1.00', shares: ['0.34', '0.33', '0.33'] },
    },
    {
      title: 'gives it to the last line where that remainder is the largest',
      amounts: ['0.01', '0.02', '0.04'],
      rate: '0.2',
      decimals: 2,
      expected: { total: '0.01', shares: ['0.00', '0.00', '0.01'] },
    },
    {
      title: 'leaves every share below a unit at zero where the total rounds to zero',
      amounts: ['0.01', '0.01'],
      rate: '0.2',
      decimals: 2,
      expected: { total: '0.00', shares: ['0.00', '0.00'] },
    },
    {
      title: 'rounds a total of exactly half a unit up',
      amounts: ['0.01'],
      rate: '0.5',
      decimals: 2,
      expected: { total: '0.01', shares: ['0.01'] },
    },
    {
      title: 'gives a line of zero nothing, even the first one',
      amounts: ['0.00', '0.01', '0.00'],
      rate: '0.5',
      decimals: 2,
      expected: { total: '0.01', shares: ['0.00', '0.01', '0.00'] },
    },
    {
      title: 'leaves whole units where the reporting currency has no decimals',
      amounts: ['10.00', '20.00', '30.00'],
      rate: '183.86',
      decimals: 0,
      expected: { total: '11032', shares: ['1839', '3677', '5516'] },
    },
    {
      title: 'keeps amounts at a rate of one as they are',
      amounts: ['0.01', '999999999999999.99'],
      rate: '1',
      decimals: 2,
      expected: { total: '1000000000000000.00', shares: ['0.01', '999999999999999.99'] },
    },
    {
      title: 'makes nothing of no lines',
      amounts: [],
      rate: '1.5',
      decimals: 2,
      expected: { total: '0.00', shares: [] },
    },
  ])('$title', ({ amounts, rate, decimals, expected }) => {
    const { total, shares } = convertAndAllocate(big(amounts), { rate: new Big(rate), decimals });
    expect({
      total: total.toFixed(decimals),
      shares: shares.map((share) => share.toFixed(decimals)),
    }).toEqual(expected);
  });

  /** Cents of up to 15 integer digits, with zeros, repeats and small amounts well represented. */
  const cents = fc.oneof(
    fc.constant(0n),
    fc.bigInt({ min: 0n, max: 20n }),
    fc.bigInt({ min: 0n, max: 10n ** 7n }),
    fc.bigInt({ min: 0n, max: 10n ** 17n - 1n }),
  );
  const manyCents = fc.oneof(
    fc.array(cents, { maxLength: 12 }),
    fc.array(cents, { minLength: 490, maxLength: 500, size: 'max' }),
  );
  /** Rates of eleven decimals, as whole hundred-thousand-millionths. */
  const rateDecimals = 11n;
  const rate = fc.oneof(
    fc.bigInt({ min: 1n, max: 10n ** 16n }),
    fc.constantFrom(10n ** 11n, 5n * 10n ** 10n, 33_333_333_333n),
  );
  const decimals = fc.constantFrom(0, 2);

  /** The same in whole numbers: floors, and units for the largest remainders in line order. */
  const inWholeNumbers = (lines: bigint[], { rate, decimals }: Case) => {
    const unit = 10n ** (2n + rateDecimals - BigInt(decimals));
    const exact = lines.map((amount) => amount * rate);
    const sum = exact.reduce((total, amount) => total + amount, 0n);
    const total = (2n * sum + unit) / (2n * unit);
    const shares = exact.map((amount) => amount / unit);
    const missing = total - shares.reduce((given, share) => given + share, 0n);
    const order = exact
      .map((amount, line) => ({ line, remainder: amount % unit }))
      .sort((one, other) => Number(other.remainder - one.remainder) || one.line - other.line);
    for (const { line } of order.slice(0, Number(missing)))
      shares[line] = (shares[line] ?? 0n) + 1n;
    return { exact, unit, total, shares };
  };
  type Case = { rate: bigint; decimals: number };

  const allocated = (lines: bigint[], { rate, decimals }: Case) => {
    const { total, shares } = convertAndAllocate(
      lines.map((amount) => new Big(String(amount)).div(100)),
      { rate: new Big(`${rate}e-${rateDecimals}`), decimals },
    );
    const inUnits = (amount: Big) => BigInt(amount.times(new Big(10).pow(decimals)).toFixed());
    return { total: inUnits(total), shares: shares.map(inUnits) };
  };

  test('finds what whole-number arithmetic finds, for up to 500 lines', () => {
    fc.assert(
      fc.property(manyCents, rate, decimals, (lines, rate, decimals) => {
        const { total, shares } = inWholeNumbers(lines, { rate, decimals });
        expect(allocated(lines, { rate, decimals })).toEqual({ total, shares });
      }),
    );
  });

  test('shares add up to the total, each less than a unit from its exact value', () => {
    fc.assert(
      fc.property(manyCents, rate, decimals, (lines, rate, decimals) => {
        const { exact, unit } = inWholeNumbers(lines, { rate, decimals });
        const { total, shares } = allocated(lines, { rate, decimals });
        expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(total);
        for (const [line, share] of shares.entries()) {
          const distance = share * unit - (exact[line] ?? 0n);
          expect(distance > -unit && distance < unit).toBe(true);
        }
      }),
    );
  });

  test('a line of zero gets nothing, and a larger amount never gets a smaller share', () => {
    fc.assert(
      fc.property(fc.array(cents, { maxLength: 12 }), rate, decimals, (lines, rate, decimals) => {
        const { shares } = allocated(lines, { rate, decimals });
        for (const [line, amount] of lines.entries()) {
          if (amount === 0n) expect(shares[line]).toBe(0n);
          for (const [other, otherAmount] of lines.entries()) {
            if (amount > otherAmount)
              expect(shares[line]).toBeGreaterThanOrEqual(shares[other] ?? 0n);
          }
        }
      }),
    );
  });

  test('equal amounts get equal shares, but that earlier lines may get one unit more', () => {
    fc.assert(
      fc.property(
        cents,
        fc.integer({ min: 1, max: 40 }),
        rate,
        decimals,
        (amount, count, rate, decimals) => {
          const lines = Array.from({ length: count }, () => amount);
          const { shares } = allocated(lines, { rate, decimals });
          const [first = 0n, last = 0n] = [shares.at(0), shares.at(-1)];
          expect(shares).toEqual([...shares].sort((one, other) => Number(other - one)));
          expect(first - last === 0n || first - last === 1n).toBe(true);
        },
      ),
    );
  });

  // Shares themselves may differ: of 0.5 and 1.5 units, whichever comes first is rounded up.
  test('the order of the lines changes neither the total nor how far lines are rounded', () => {
    fc.assert(
      fc.property(
        fc
          .array(cents, { maxLength: 12 })
          .chain((lines) =>
            fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length })),
          ),
        rate,
        decimals,
        ([lines, shuffled], rate, decimals) => {
          const roundings = (of: bigint[]) => {
            const { exact, unit } = inWholeNumbers(of, { rate, decimals });
            const { total, shares } = allocated(of, { rate, decimals });
            const distances = shares.map((share, line) => share * unit - (exact[line] ?? 0n));
            return { total, distances: distances.map(String).sort() };
          };
          expect(roundings(shuffled)).toEqual(roundings(lines));
        },
      ),
    );
  });
});
