import { describe, expect, test } from 'vitest';
import { decimalsOf, isCurrency } from '#shared/money/currencies.ts';

/**
 * The differences between this runtime and ISO 4217. If a new runtime makes the first test fail,
 * check whether ISO changed (SIX, the maintenance agency, has the list). Update the data or these.
 */
const withdrawn = ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL'];
const withoutMinorUnits = ['XDR', 'XSU'];
const unknownToRuntime = 'BOV CHE CHW CLF COU MXV USN UYI UYW VED XAD'.split(' ');

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const everyCode = letters.flatMap((one) =>
  letters.flatMap((two) => letters.map((three) => `${one}${two}${three}`)),
);

describe('the currencies', () => {
  test('match the runtime except for the known differences', () => {
    const runtime = new Set(Intl.supportedValuesOf('currency'));
    const here = new Set(everyCode.filter(isCurrency));
    expect([...runtime].filter((code) => !here.has(code)).sort()).toEqual(
      [...withdrawn, ...withoutMinorUnits].sort(),
    );
    expect([...here].filter((code) => !runtime.has(code)).sort()).toEqual(unknownToRuntime);
  });

  test('are 165 of all codes with three capital letters, and none in lower case', () => {
    expect(everyCode.filter(isCurrency)).toHaveLength(165);
    expect(everyCode.filter((code) => isCurrency(code.toLowerCase()))).toEqual([]);
  });

  test.each([
    ['XAU', 'gold'],
    ['XAG', 'silver'],
    ['XPT', 'platinum'],
    ['XPD', 'palladium'],
    ['XDR', 'a unit of account'],
    ['XBA', 'a unit of bond markets'],
    ['XXX', 'no currency'],
    ['XTS', 'a code for tests'],
    ['DEM', 'withdrawn long before any entry here'],
    ['eur', 'not a code as ISO writes it'],
    ['EURO', 'too long'],
    ['', 'empty'],
    ['constructor', 'only a property name of every object'],
  ])('%s is not money: %s', (code) => {
    expect(isCurrency(code)).toBe(false);
    expect(() => decimalsOf(code)).toThrow(new RangeError(`${code} is not a currency`));
  });

  test.each([
    ['JPY', 0, 'as ISO says'],
    ['KRW', 0, 'as ISO says'],
    ['EUR', 2, 'as ISO says'],
    ['HUF', 2, 'as ISO says, where Intl says none'],
    ['KWD', 2, 'at most two on the wire, of three'],
    ['CLF', 2, 'at most two on the wire, of four'],
    ['UYW', 2, 'at most two on the wire, of four'],
  ])('amounts of %s have %i decimals: %s', (code, decimals) => {
    expect(decimalsOf(code)).toBe(decimals);
  });
});
