import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countEntry,
  emptySheet,
  formatRows,
  mergeRows,
  readRows,
  type SheetRow,
} from '#shared/sheets/day-sheet.ts';
import { rowNameOf } from '#shared/sheets/row-text.ts';
import { expectedEntry } from '../../support/builders/journal-entry.ts';

const amount = fc.integer({ min: 0, max: 10 ** 12 }).map((cents) => new Big(cents).div(100));
const signed = fc.tuple(amount, fc.boolean()).map(([it, isBelow]) => (isBelow ? it.neg() : it));
const row = (account: fc.Arbitrary<string>): fc.Arbitrary<SheetRow> =>
  fc.record({
    account,
    currency: fc.constantFrom(null, 'USD', 'JPY'),
    debit: amount,
    credit: amount,
    cashEffect: signed,
    nonCash: signed,
    disposed: signed,
  });
/** Any possible code, including the separators of fields and rows. */
const anyCode = fc.string({
  unit: fc.constantFrom('1', 'a', '漢', '🧾', ' ', '\\', 't', 'n'),
  minLength: 1,
});
const shown = (rows: readonly SheetRow[]) =>
  rows.map(({ account, currency, ...amounts }) => [
    account,
    currency,
    ...Object.values(amounts).map(String),
  ]);

describe('the rows of a sheet', () => {
  test('are parsed back unchanged', () => {
    fc.assert(
      fc.property(fc.array(row(anyCode.map((code) => rowNameOf({ code })))), (added) => {
        const rows = mergeRows(added);
        expect(shown(readRows(formatRows(rows)))).toEqual(shown(rows));
      }),
    );
  });

  test('take no space for zeros', () => {
    const [debit, credit] = [new Big('1159.60'), new Big(0)];
    const none = { cashEffect: credit, nonCash: credit, disposed: credit };
    const rows = [{ account: '2', currency: null, debit, credit, ...none }];
    expect(formatRows(rows)).toBe('\t\t=\n2\t1c4f8');
    expect(formatRows([])).toBe('');
  });

  test('add up to the same in any order and any grouping', () => {
    const rows = fc.array(row(fc.constantFrom('1', '10', '2')), { maxLength: 12 });
    const shuffled = rows.chain((it) =>
      fc.tuple(
        fc.constant(it),
        fc.shuffledSubarray(it, { minLength: it.length }),
        fc.nat(it.length),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([rows, other, first]) => {
        const merged = shown(mergeRows(rows));
        expect(shown(mergeRows(other))).toEqual(merged);
        const some = mergeRows(other.slice(0, first));
        expect(shown(mergeRows([...some, ...other.slice(first)]))).toEqual(merged);
        expect(new Set(merged.map(([code, currency]) => `${code} ${currency}`)).size).toBe(
          merged.length,
        );
      }),
    );
  });
});

describe('the rows of an entry', () => {
  const [bank, otherBank, revenue] = expectedEntry.lines;
  const uncounted = { ...expectedEntry, entryId: 'id', journalNumber: 'MJ-20260320-0001' };
  const rowsAfter = (changes: Partial<typeof uncounted>) =>
    shown(mergeRows(countEntry({ ...uncounted, ...changes }, emptySheet).sheet.added ?? []));
  const lines = [bank, otherBank, revenue].filter((it) => it !== undefined);

  test.each<[string, Partial<typeof uncounted>, unknown[]]>([
    [
      'in the book currency has only book amounts',
      {},
      [
        ['=1010', null, '100', '0', '0', '0', '0'],
        ['=4010', null, '0', '100', '100', '0', '0'],
      ],
    ],
    [
      'in another currency also has its amounts in that currency, without cash effects',
      { bookCurrency: 'USD', lines: lines.map((it) => ({ ...it, bookDebit: it.reportingDebit })) },
      [
        ['=1010', null, '115.96', '0', '0', '0', '0'],
        ['=1010', 'EUR', '100', '0', '0', '0', '0'],
        ['=4010', null, '0', '100', '100', '0', '0'],
        ['=4010', 'EUR', '0', '100', '0', '0', '0'],
      ],
    ],
    [
      'without a cash account moves no cash',
      { lines: lines.map((it) => ({ ...it, lineClass: 'operating' as const })) },
      [
        ['=1010', null, '100', '0', '0', '0', '0'],
        ['=4010', null, '0', '100', '0', '0', '0'],
      ],
    ],
    [
      'between two cash accounts moves no cash',
      { lines: lines.map((it) => ({ ...it, lineClass: 'cash' as const })) },
      [
        ['=1010', null, '100', '0', '0', '0', '0'],
        ['=4010', null, '0', '100', '0', '0', '0'],
      ],
    ],
  ])('%s', (_, changes, rows) => {
    expect(rowsAfter(changes)).toEqual(rows);
  });
});
