import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountFormatOf } from '#shared/money/amounts.ts';
import { formatThousandths, thousandthsOf } from '#shared/money/thousandths.ts';

describe('thousandths', () => {
  test('agree with big.js for any number of decimals', () => {
    const amount = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
    fc.assert(
      fc.property(amount, fc.constantFrom(0, 1, 2, 3), (whole, decimals) => {
        const text = new Big(String(whole)).div(10 ** decimals).toFixed(decimals);
        const thousandths = thousandthsOf(text);
        expect(String(thousandths)).toBe(new Big(text).times(1000).toFixed(0));
        const exact = new Big(text).toFixed(3).replace(/0$/, '');
        expect(formatThousandths(thousandths)).toBe(exact);
        expect(amountFormatOf('KWD')(thousandths)).toBe(new Big(text).toFixed(3));
        expect(amountFormatOf('JPY')(thousandths)).toBe(exact);
      }),
    );
  });

  test.each([
    ['nothing', '', 0n],
    ['less than one', '0.07', 70n],
    ['one decimal', '12.5', 12500n],
    ['three decimals', '12.505', 12505n],
    ['negative cents', '-0.05', -50n],
  ])('of %s', (_title, text, thousandths) => {
    expect(thousandthsOf(text)).toBe(thousandths);
  });

  test.each(['1.0005', '1e3', '1.', '.5', 'x', ' 1', '1.0x'])('are not of %j', (text) => {
    expect(() => thousandthsOf(text)).toThrow();
  });
});
