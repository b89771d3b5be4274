import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JournalLine } from '#shared/entries/journal-entry.ts';
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
  fc
    .record({
      account,
      currency: fc.constantFrom(null, 'USD', 'JPY'),
      debit: amount,
      credit: amount,
      cashEffect: signed,
      nonCash: signed,
      disposed: signed,
      bookBalance: fc.option(signed, { nil: undefined }),
    })
    .map((it) => ({ ...it, bookBalance: it.currency === null ? undefined : it.bookBalance }));
/** Any possible code, including the separators of fields and rows. */
const anyCode = fc.string({
  unit: fc.constantFrom('1', 'a', '漢', '🧾', ' ', '\\', 't', 'n'),
  minLength: 1,
});
const shown = (rows: readonly SheetRow[]) =>
  rows.map(({ account, currency, bookBalance, ...amounts }) => [
    account,
    currency,
    ...Object.values(amounts).map(String),
    ...(bookBalance === undefined ? [] : [String(bookBalance)]),
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
  const revalued = (
    account: string,
    [bookDebit, bookCredit]: [string, string],
    lineClass: JournalLine['lineClass'],
    currency?: string,
  ): JournalLine => ({
    ...(bank as JournalLine),
    ...{ account, lineClass, bookDebit, bookCredit, debit: bookDebit, credit: bookCredit },
    ...(currency !== undefined && { revaluedCurrency: currency }),
  });
  const revaluedLines = [
    revalued('1010', ['5', '0'], 'cash', 'USD'),
    revalued('1020', ['0', '2'], 'cash', 'USD'),
    revalued('1100', ['0', '7'], 'revalued', 'GBP'),
    revalued('7100', ['0', '5'], 'exchange_difference'),
    revalued('7100', ['9', '0'], 'exchange_difference'),
  ];
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
        ['=1010', 'EUR', '100', '0', '0', '0', '0', '115.96'],
        ['=4010', null, '0', '100', '100', '0', '0'],
        ['=4010', 'EUR', '0', '100', '0', '0', '0', '-100'],
      ],
    ],
    [
      'that revalues cash moves cash by the gains and losses on it alone',
      { lines: revaluedLines },
      [
        ['=1010', null, '5', '0', '0', '0', '0'],
        ['=1010', 'USD', '0', '0', '0', '0', '0', '5'],
        ['=1020', null, '0', '2', '0', '0', '0'],
        ['=1020', 'USD', '0', '0', '0', '0', '0', '-2'],
        ['=1100', null, '0', '7', '0', '0', '0'],
        ['=1100', 'GBP', '0', '0', '0', '0', '0', '-7'],
        ['=7100', null, '9', '5', '3', '0', '0'],
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
