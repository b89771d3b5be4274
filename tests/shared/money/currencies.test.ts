import { describe, expect, test } from 'vitest';
import { decimalsOf, isCurrency, shownDecimalsOf } from '#shared/money/amounts.ts';

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

  test.each(['XAU', 'XDR', 'XBA', 'XXX', 'XTS', 'DEM', 'eur', 'EURO', '', 'constructor'])(
    '%j is not a currency',
    (code) => {
      expect(isCurrency(code)).toBe(false);
      expect(() => decimalsOf(code)).toThrow(new RangeError(`${code} is not a currency`));
    },
  );

  // At most two, the decimals of the contract, except for the seven below. For HUF, Intl has none.
  test.each([
    ['JPY', 0, 2],
    ['EUR', 2, 2],
    ['HUF', 2, 2],
    ['KWD', 3, 3],
    ['CLF', 2, 2],
  ])('amounts of %s have at most %i decimals, and replies show %i', (code, decimals, shown) => {
    expect(decimalsOf(code)).toBe(decimals);
    expect(shownDecimalsOf(code)).toBe(shown);
  });

  test('replies show three decimals for seven currencies only', () => {
    const three = everyCode.filter((code) => isCurrency(code) && shownDecimalsOf(code) === 3);
    expect(three).toEqual(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);
  });
});
