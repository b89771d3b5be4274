import { readFileSync } from 'node:fs';
import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRatesXml } from '#shared/rates/ecb-files.ts';
import {
  type CurrencyPair,
  type DailyRates,
  daysAccepted,
  rateBetween,
} from '#shared/rates/exchange-rates.ts';
import { realDay } from '../../support/builders/ecb-files.ts';

const march23 = realDay('2026-03-23');
const march23FromXml = parseRatesXml(
  readFileSync('tests/data/eurofxref-daily-2026-03-23.xml', 'utf8'),
)[0] as DailyRates;

describe('a rate between two currencies', () => {
  // 1 EUR = 1.1596 USD = 0.86420 GBP = 183.86 JPY on 2026-03-23. Computed by hand.
  test.each<[CurrencyPair, string, string]>([
    [{ transaction: 'GBP', reporting: 'USD' }, '1.34181902337', 'ecb_derived'],
    [{ transaction: 'USD', reporting: 'JPY' }, '158.55467402553', 'ecb_derived'],
    [{ transaction: 'EUR', reporting: 'USD' }, '1.15960000000', 'ecb_published'],
    [{ transaction: 'EUR', reporting: 'JPY' }, '183.86000000000', 'ecb_published'],
    [{ transaction: 'USD', reporting: 'EUR' }, '0.86236633322', 'ecb_derived'],
    [{ transaction: 'USD', reporting: 'USD' }, '1.00000000000', 'ecb_derived'],
  ])('%o was %s on 2026-03-23, from the XML and from the CSV', (pair, rate, source) => {
    const expected = { rate, date: '2026-03-23', source };
    expect(rateBetween(pair, march23)).toEqual(expected);
    expect(rateBetween(pair, march23FromXml)).toEqual(expected);
  });

  test.each([
    // 1 / 4096 = 0.000244140625: the twelfth decimal is a 5 with nothing after it.
    ['4096', '1', '0.00024414062', 'a tie goes down to the even digit 2'],
    ['4096', '3', '0.00073242188', 'a tie goes up to the even digit 8'],
    ['4096', '1.0000000001', '0.00024414063', 'beyond the tie it goes up'],
    ['0.3883', '1912400', '4925057.94488797322', 'the extremes of all days keep eleven decimals'],
  ])('of %s to %s is %s: %s', (transaction, reporting, rate) => {
    const day = { date: '2026-03-23', rates: { AAA: transaction, BBB: reporting } };
    expect(rateBetween({ transaction: 'AAA', reporting: 'BBB' }, day).rate).toBe(rate);
  });

  test('does not exist on a day without one of the currencies', () => {
    expect(() => rateBetween({ transaction: 'BGN', reporting: 'EUR' }, march23)).toThrow(
      new RangeError('no BGN rate on 2026-03-23'),
    );
  });
});

/** Rates with up to twelve digits and up to five decimals. The bank's have at most seven digits. */
const publishedRate = fc
  .record({
    digits: fc.oneof(
      fc.bigInt({ min: 1n, max: 999_999_999_999n }),
      // Division by these terminates, so that exact ties occur.
      fc.constantFrom(32n, 64n, 4_096n, 8_192n, 409_600_000n, 1_000_000n),
    ),
    decimals: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ digits, decimals }) => ({
    millionths: digits * 10n ** BigInt(6 - decimals),
    text: new Big(digits.toString()).div(new Big(10).pow(decimals)).toFixed(decimals),
  }));

/** The quotient in units of the eleventh decimal, rounded half to even, with integers. */
const divideHalfEven = ({ dividend, divisor }: { dividend: bigint; divisor: bigint }): bigint => {
  const scaled = dividend * 10n ** 11n;
  const quotient = scaled / divisor;
  const twiceRemainder = (scaled % divisor) * 2n;
  const goesUp = twiceRemainder > divisor || (twiceRemainder === divisor && quotient % 2n === 1n);
  return goesUp ? quotient + 1n : quotient;
};

test('a rate is the exact quotient, rounded half to even at the 11th decimal', () => {
  fc.assert(
    fc.property(publishedRate, publishedRate, (transaction, reporting) => {
      const rates = { AAA: transaction.text, BBB: reporting.text };
      const pair = { transaction: 'AAA', reporting: 'BBB' };
      const { rate } = rateBetween(pair, { date: '2026-03-23', rates });
      expect(rate).toMatch(/^\d+\.\d{11}$/);
      expect(BigInt(rate.replace('.', ''))).toBe(
        divideHalfEven({ dividend: reporting.millionths, divisor: transaction.millionths }),
      );
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['a future date counts back from today', '2027-01-01', 7, '2026-06-24', '2026-07-01'],
  ['a maximum age of zero accepts only the same day', '2026-03-23', 0, '2026-03-23', '2026-03-23'],
  [
    'without a maximum age the range starts at the first date',
    '2026-03-23',
    undefined,
    '0001-01-01',
    '2026-03-23',
  ],
  ['the range stops at the first date', '0001-01-03', 7, '0001-01-01', '0001-01-03'],
])('the days accepted: %s', (_, date, maximumAgeDays, from, to) => {
  expect(daysAccepted(date, { today: '2026-07-01', maximumAgeDays })).toEqual({ from, to });
});
