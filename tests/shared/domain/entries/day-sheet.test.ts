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
} from '#shared/domain/entries/day-sheet.ts';
import { expectedEntry } from '../../../support/builders/journal-entry.ts';

const amount = fc.integer({ min: 0, max: 10 ** 12 }).map((cents) => new Big(cents).div(100));
const row = (account: fc.Arbitrary<string>): fc.Arbitrary<SheetRow> =>
  fc.record({
    account,
    currency: fc.constantFrom(null, 'USD', 'JPY'),
    ...{ debit: amount, credit: amount },
    cashEffect: fc.tuple(amount, fc.boolean()).map(([it, isBelow]) => (isBelow ? it.neg() : it)),
  });
/** Whatever might be a code one day, with what parts the fields of a row among it. */
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
  test('are text that is read back as it was', () => {
    fc.assert(
      fc.property(fc.array(row(anyCode)), (rows) => {
        expect(shown(readRows(formatRows(rows)))).toEqual(shown(rows));
      }),
    );
  });

  test('take no room for what is zero', () => {
    const [debit, credit] = [new Big('1159.60'), new Big(0)];
    const rows = [{ account: '1010', currency: null, debit, credit, cashEffect: credit }];
    expect(formatRows(rows)).toBe('1010\t\t1159.6');
    expect(formatRows([])).toBe('');
  });

  test('come to the same in whatever order, and however often they are added up', () => {
    const rows = fc.array(row(fc.constantFrom('1', '10', '2')), { maxLength: 12 });
    const shuffled = rows.chain((it) =>
      fc.tuple(
        fc.constant(it),
        fc.shuffledSubarray(it, { minLength: it.length }),
        fc.nat(it.length),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([given, other, first]) => {
        const merged = shown(mergeRows(given));
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

describe('an entry that counts', () => {
  const [bank, otherBank, revenue] = expectedEntry.lines;
  const uncounted = { ...expectedEntry, entryId: 'id', journalNumber: 'MJ-20260320-0001' };
  const rowsAfter = (changes: Partial<typeof uncounted>) =>
    shown(mergeRows(countEntry({ ...uncounted, ...changes }, emptySheet).sheet.rows));
  const lines = [bank, otherBank, revenue].filter((it) => it !== undefined);

  test.each<[string, Partial<typeof uncounted>, unknown[]]>([
    [
      'in the currency of the books has book amounts alone',
      {},
      [
        ['1010', null, '100', '0', '0'],
        ['4010', null, '0', '100', '100'],
      ],
    ],
    [
      'in another has its amounts in that one too, without what moved cash',
      { bookCurrency: 'USD', lines: lines.map((it) => ({ ...it, bookDebit: it.reportingDebit })) },
      [
        ['1010', null, '115.96', '0', '0'],
        ['1010', 'EUR', '100', '0', '0'],
        ['4010', null, '0', '100', '100'],
        ['4010', 'EUR', '0', '100', '0'],
      ],
    ],
    [
      'and touches no cash account moves no cash',
      { lines: lines.map((it) => ({ ...it, isCash: false })) },
      [
        ['1010', null, '100', '0', '0'],
        ['4010', null, '0', '100', '0'],
      ],
    ],
    [
      'from one cash account to another moves none either',
      { lines: lines.map((it) => ({ ...it, isCash: true })) },
      [
        ['1010', null, '100', '0', '0'],
        ['4010', null, '0', '100', '0'],
      ],
    ],
  ])('%s', (_, changes, rows) => {
    expect(rowsAfter(changes)).toEqual(rows);
  });

  test('has the next place on its sheet, whose head is its hash', () => {
    const first = countEntry(uncounted, emptySheet);
    const second = countEntry(uncounted, first.sheet);
    expect([first, second].map(({ entry }) => entry.postingSequence)).toEqual([1, 2]);
    expect(second.sheet).toMatchObject({ counted: 2, head: second.entry.hash });
    expect(second.entry.hash).not.toBe(first.entry.hash);
    // Numbers and revisions are given elsewhere.
    expect(second.sheet).toMatchObject({ lastSequence: 0, revision: 0 });
  });
});
