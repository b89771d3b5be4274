import { describe, expect, test } from 'vitest';
import { decimalsOf, isCurrency } from '#shared/domain/currencies.ts';

/**
 * Where this runtime and ISO 4217 differ. When a new runtime makes the first test fail, see whether
 * ISO changed as well (the list of the maintenance agency, SIX), and change the data or these.
 */
const withdrawn = ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL'];
const withoutMinorUnits = ['XDR', 'XSU'];
const unknownToRuntime = 'BOV CHE CHW CLF COU MXV USN UYI UYW VED XAD'.split(' ');

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const everyCode = letters.flatMap((one) =>
  letters.flatMap((two) => letters.map((three) => `${one}${two}${three}`)),
);

describe('the currencies', () => {
  test('are those of the runtime, but for the differences that are known', () => {
    const runtime = new Set(Intl.supportedValuesOf('currency'));
    const here = new Set(everyCode.filter(isCurrency));
    expect([...runtime].filter((code) => !here.has(code)).sort()).toEqual(
      [...withdrawn, ...withoutMinorUnits].sort(),
    );
    expect([...here].filter((code) => !runtime.has(code)).sort()).toEqual(unknownToRuntime);
  });

  test('are 165 of all that three capital letters can spell, and nothing in small letters', () => {
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
    ['constructor', 'nothing but a name that every object has'],
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
