// Any rows are the same after they were written and read. Texts of earlier versions are readable.

import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { thousandthsOf } from '#shared/money/thousandths.ts';
import {
  formatRowTexts,
  type RowTexts,
  rowAmountsOf,
  rowNameOf,
  rowTextsOf,
} from '#shared/sheets/row-text.ts';

/** An amount with these decimals, or none. */
const amount = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 4 }))
  .map(([minor, decimals]) => {
    if (minor === 0n) return '';
    const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0');
    const point = digits.length - decimals;
    const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
    return minor < 0n ? `-${text}` : text;
  });

const name = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }).map((number) => rowNameOf({ code: '', number })),
  fc.stringMatching(/^[^\t\n]{1,64}$/u).map((code) => rowNameOf({ code })),
);

/** A book balance of zero is `0`. An empty one is not known. */
const booked = fc.oneof(
  fc.constant(''),
  amount.map((it) => it || '0'),
);

const rows = fc.uniqueArray(
  fc.tuple(name, fc.constantFrom('', 'USD', 'KWD'), amount, amount, amount, amount, amount, booked),
  { selector: ([of, currency]) => `${of}\t${currency}` },
);

/** Decimal amounts without zeros at the end, in the order of names. */
const plain = (all: readonly RowTexts[]) =>
  all
    .map(([of, currency, ...amounts]) => [
      of,
      currency,
      ...amounts.map((it) => (it.includes('.') ? it.replace(/\.?0+$/, '') : it)),
    ])
    .sort((one, other) => (`${one[0]} ${one[1]}` < `${other[0]} ${other[1]}` ? -1 : 1));

describe('the text of rows', () => {
  test('has all rows, in any order', () => {
    fc.assert(
      fc.property(rows, (all) => {
        expect(plain(rowTextsOf(formatRowTexts(all)))).toEqual(plain(all));
        expect(formatRowTexts(all.toReversed())).toBe(formatRowTexts(all));
      }),
    );
  });

  test('has every cash effect, also that of the whole movement', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.boolean(), (cents, isCredit) => {
        const text = `${cents}.00`;
        const sides = isCredit ? ['', text] : [text, ''];
        const row = ['5', '', ...sides, isCredit ? text : `-${text}`, '', '', ''] as RowTexts;
        expect(formatRowTexts([row])).toMatch(/\t=$/);
        expect(plain(rowTextsOf(formatRowTexts([row])))).toEqual(plain([row]));
      }),
    );
  });

  test.each<[string, RowTexts[], string]>([
    [
      'neighbours',
      [
        ['1', '', '1159.60', '', '', '', '', ''],
        ['2', '', '', '1159.60', '', '', '', ''],
      ],
      '\t\t=\n\t1c4f8\n\t\t1c4f8',
    ],
    [
      'another currency',
      [
        ['a', '', '1', '', '', '', '', ''],
        ['a', 'USD', '2', '', '', '', '', '1'],
      ],
      '\t\t=\na\t64\n0\tc8\t\t\tUSD\t\t\t64',
    ],
    [
      'a book balance of zero',
      [['1', 'USD', '2', '', '', '', '', '0']],
      '\t\t=\n\tc8\t\t\tUSD\t\t\t0',
    ],
    ['three decimals', [['1', 'KWD', '1.234', '', '', '', '', '']], '\t\t=\n\t1.234\t\t\tKWD'],
    ['a code', [['=Bank', '', '0.01', '', '', '', '', '']], '\t\t=\n=Bank\t1'],
    [
      'what needed no cash, and what went with a disposal',
      [
        ['1', '', '5', '', '', '-2.50', '', ''],
        ['2', '', '', '5', '', '', '1', ''],
      ],
      '\t\t=\n\t1f4\t\t\t\t-fa\n\t\t1f4\t\t\t\t64',
    ],
    ['only zeros', [['1', '', '', '', '', '', '', '']], '\t\t=\n'],
    ['no rows', [], ''],
  ])('of %s', (_, all, text) => {
    expect(formatRowTexts(all)).toBe(text);
    expect(plain(rowTextsOf(text))).toEqual(plain(all));
  });

  test('of an earlier version is readable', () => {
    expect(rowTextsOf('1010\t\t1159.6\n4010\tUSD\t\t5\t-5')).toEqual([
      ['=1010', '', '1159.60', '', '', '', '', ''],
      ['=4010', 'USD', '', '5.00', '-5.00', '', '', ''],
    ]);
  });

  test('has the same amounts in thousandths', () => {
    const shown = rows.map((all) =>
      all.map(([of, currency, ...texts]): RowTexts => {
        const [debit = '', ...others] = texts.map((it) => it.replace(/(\.\d{3})\d+$/, '$1'));
        return [of, currency, debit, ...others] as RowTexts;
      }),
    );
    fc.assert(
      fc.property(shown, (all) => {
        const text = formatRowTexts(all);
        const expected = rowTextsOf(text).map(([name, currency, ...texts]) => ({
          name,
          currency,
          amounts: texts.slice(0, -1).map(thousandthsOf),
          bookBalance: texts.at(-1) === '' ? undefined : thousandthsOf(texts.at(-1) ?? ''),
        }));
        expect(rowAmountsOf(text)).toEqual(expected);
      }),
    );
  });

  test('is refused by earlier versions, whose third column is the debit', () => {
    const [first = ''] = formatRowTexts([['1', '', '5', '', '', '', '', '']]).split('\n');
    expect(() => new Big(first.split('\t')[2] ?? '0')).toThrow('Invalid number');
  });
});
