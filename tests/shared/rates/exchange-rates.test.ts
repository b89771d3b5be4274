import { readFileSync } from 'node:fs';
import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRatesXml } from '#shared/rates/ecb-files.ts';
import {
  type CurrencyPair,
  currenciesNeeded,
  type DailyRates,
  daysAccepted,
  identityRate,
  rateBetween,
} from '#shared/rates/exchange-rates.ts';
import { realDay } from '../../support/builders/ecb-files.ts';

const march23 = realDay('2026-03-23');
const march23FromXml = parseRatesXml(
  readFileSync('tests/data/eurofxref-daily-2026-03-23.xml', 'utf8'),
)[0] as DailyRates;

describe('a rate between two currencies', () => {
  // 1 EUR = 1.1596 USD = 0.86420 GBP = 183.86 JPY on 2026-03-23. By hand:
  //
  // GBP to USD, 1.1596 / 0.86420 = 11596 / 8642:  USD to JPY, 183.86 / 1.1596 = 1838600 / 11596:
  //   11596 / 8642 = 1, remainder 2954              1838600 / 11596 = 158, remainder 6432
  //   29540 / 8642 = 3, remainder 3614                64320 / 11596 = 5, remainder 6340
  //   36140 / 8642 = 4, remainder 1572                63400 / 11596 = 5, remainder 5420
  //   15720 / 8642 = 1, remainder 7078                54200 / 11596 = 4, remainder 7816
  //   70780 / 8642 = 8, remainder 1644                78160 / 11596 = 6, remainder 8584
  //   16440 / 8642 = 1, remainder 7798                85840 / 11596 = 7, remainder 4668
  //   77980 / 8642 = 9, remainder  202                46680 / 11596 = 4, remainder  296
  //    2020 / 8642 = 0, remainder 2020                 2960 / 11596 = 0, remainder 2960
  //   20200 / 8642 = 2, remainder 2916                29600 / 11596 = 2, remainder 6408
  //   29160 / 8642 = 3, remainder 3234                64080 / 11596 = 5, remainder 6100
  //   32340 / 8642 = 3, remainder 6414                61000 / 11596 = 5, remainder 3020
  //   64140 / 8642 = 7, remainder 3646                30200 / 11596 = 2, remainder 7008
  // Twice 3646 is less than 8642, so it stays     Twice 7008 is more than 11596, so the last
  // 1.34181902337.                                digit goes up: 158.55467402553.
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

  test('of a currency to itself is one', () => {
    expect(identityRate('2026-03-23')).toEqual({
      rate: '1.00000000000',
      date: '2026-03-23',
      source: 'same_currency',
    });
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

test.each<[CurrencyPair, string[]]>([
  [{ transaction: 'USD', reporting: 'JPY' }, ['USD', 'JPY']],
  [{ transaction: 'EUR', reporting: 'JPY' }, ['JPY']],
  [{ transaction: 'USD', reporting: 'EUR' }, ['USD']],
  [{ transaction: 'USD', reporting: 'USD' }, ['USD']],
  [{ transaction: 'EUR', reporting: 'EUR' }, []],
])('%o needs the rates of %j', (asked, currencies) => {
  expect(currenciesNeeded(asked)).toEqual(currencies);
});

test.each([
  ['a past date counts back from itself', '2026-03-23', 7, '2026-03-16', '2026-03-23'],
  ['today counts back from today', '2026-07-01', 7, '2026-06-24', '2026-07-01'],
  ['a future date counts back from today', '2027-01-01', 7, '2026-06-24', '2026-07-01'],
  ['a maximum age of zero accepts only the same day', '2026-03-23', 0, '2026-03-23', '2026-03-23'],
  ['the range can include a leap day', '2024-03-01', 1, '2024-02-29', '2024-03-01'],
  ['the range can cross the turn of a year', '2026-01-03', 7, '2025-12-27', '2026-01-03'],
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
