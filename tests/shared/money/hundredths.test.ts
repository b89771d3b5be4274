import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatHundredths, hundredthsOf } from '#shared/money/hundredths.ts';

describe('hundredths', () => {
  test('agree with big.js for any number of decimals', () => {
    const amount = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
    fc.assert(
      fc.property(amount, fc.constantFrom(0, 1, 2), (whole, decimals) => {
        const text = new Big(String(whole)).div(10 ** decimals).toFixed(decimals);
        const hundredths = hundredthsOf(text);
        expect(String(hundredths)).toBe(new Big(text).times(100).toFixed(0));
        expect(formatHundredths(hundredths)).toBe(new Big(text).toFixed(2));
      }),
    );
  });

  test.each([
    ['nothing', '', 0n],
    ['less than one', '0.07', 7n],
    ['one decimal', '12.5', 1250n],
    ['negative cents', '-0.05', -5n],
  ])('of %s', (_title, text, hundredths) => {
    expect(hundredthsOf(text)).toBe(hundredths);
  });

  test.each(['1.005', '1e3', '1.', '.5', 'x', ' 1', '1.0x'])('are not of %j', (text) => {
    expect(() => hundredthsOf(text)).toThrow();
  });
});
