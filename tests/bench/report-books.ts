// Books of three sizes for reports, created in bulk with the same items that posts write.

import { createHash } from 'node:crypto';
import Big from 'big.js';
import { defaultChart } from '#shared/accounts/default-chart.ts';
import { entryIdOf, entryIdRandomBytes } from '#shared/entries/entry-ids.ts';
import { entryActions } from '#shared/entries/entry-items.store.ts';
import { type ApiEntry, journalNumber } from '#shared/entries/journal-entry.ts';
import { addDays } from '#shared/money/dates.ts';
import {
  countEntry,
  type DaySheet,
  emptySheet,
  fileEntry,
  type SheetRow,
} from '#shared/sheets/day-sheet.ts';
import { sheetActions } from '#shared/sheets/day-sheets.store.ts';
import { rowNameOf } from '#shared/sheets/row-text.ts';
import { entryKey, type TenantName } from '#shared/table/keys.ts';
import type { Action, Item } from '#shared/table/table.ts';

/** `isSynthetic` books have sheets but no entries. */
export type BooksSize = {
  entries: number;
  days: number;
  accounts: number;
  maximumReadUnits: number;
  isSynthetic: boolean;
};

export const booksSizes: readonly BooksSize[] = [
  { entries: 1_000, days: 250, accounts: 8, maximumReadUnits: 25, isSynthetic: false },
  { entries: 100_000, days: 1_250, accounts: 20, maximumReadUnits: 175, isSynthetic: false },
  { entries: 10_000_000, days: 1_825, accounts: 60, maximumReadUnits: 600, isSynthetic: true },
];

const firstDay = '2021-01-01';
export const lastDayOf = ({ days }: BooksSize): string => addDays(firstDay, days - 1);

const series = 'MJ';
const createdAt = '2026-03-23T09:30:00.000Z';
const rate = '1.00000000000';
const zero = new Big(0);

const codesOf = ({ accounts }: BooksSize): string[] =>
  defaultChart.slice(0, accounts).map(({ code }) => code);

/** An entry with two lines in euro. */
const entryOf = (
  codes: readonly string[],
  { date, sequence }: { date: string; sequence: number },
): Omit<ApiEntry, 'postingSequence' | 'hash' | 'hashVersion'> => {
  const place = { series, date, sequence } as const;
  const amount = new Big(100 + sequence).plus(new Big(sequence % 100).div(100)).toFixed(2);
  const line = (lineNumber: number, [debit, credit]: [string, string]) => ({
    lineNumber,
    description: 'Consulting',
    debit,
    credit,
    account: codes[(2 * sequence + lineNumber) % codes.length] ?? '',
    accountName: 'An account of the chart',
    reportingDebit: debit,
    reportingCredit: credit,
    bookDebit: debit,
    bookCredit: credit,
    lineClass: 'operating' as const,
  });
  return {
    entryId: entryIdOf(place, Buffer.alloc(entryIdRandomBytes)),
    date,
    postingDate: date,
    journalNumber: journalNumber(place),
    memo: 'Consulting',
    status: 'posted',
    metadata: {},
    reverses: null,
    reversedBy: null,
    cancelledAt: null,
    accrualDate: null,
    externalId: null,
    userId: null,
    entryType: 'Manual Journal',
    transactionCurrency: 'EUR',
    reportingCurrency: 'EUR',
    bookCurrency: 'EUR',
    transactionAmount: amount,
    reportingAmount: amount,
    bookAmount: amount,
    exchangeRate: rate,
    bookExchangeRate: rate,
    exchangeRateDate: date,
    exchangeRateSource: 'same_currency',
    lines: [line(1, [amount, '0.00']), line(2, ['0.00', amount])],
    createdAt,
    postedAt: createdAt,
    createdWithKey: 'bench',
  };
};

/** A sheet with debits and credits in alternate rows. */
const syntheticSheet = (codes: readonly string[], counted: number): DaySheet => ({
  lastSequence: counted,
  revision: counted,
  counted,
  head: createHash('sha256').update(String(counted)).digest('hex'),
  rows: '',
  added: codes.map((code, row): SheetRow => {
    const amount = new Big(94_530).plus(new Big(17 + Math.floor(row / 2)).div(100));
    const sides = row % 2 ? { debit: zero, credit: amount } : { debit: amount, credit: zero };
    return {
      account: rowNameOf({ code }),
      currency: null,
      ...sides,
      cashEffect: zero,
      nonCash: zero,
      disposed: zero,
    };
  }),
});

const itemsOf = (actions: readonly Action[]): Item[] =>
  actions.flatMap((action) => ('put' in action ? [action.put] : []));

/** Yields the items of the books by date. */
export function* booksItems(name: TenantName, size: BooksSize): Generator<Item> {
  const codes = codesOf(size);
  const perDay = Math.floor(size.entries / size.days);
  for (let day = 0; day < size.days; day += 1) {
    const date = addDays(firstDay, day);
    let sheet = size.isSynthetic ? syntheticSheet(codes, perDay) : emptySheet;
    for (let sequence = 1; !size.isSynthetic && sequence <= perDay; sequence += 1) {
      const entry = entryOf(codes, { date, sequence });
      const counted = countEntry(entry, fileEntry(sheet, entry));
      sheet = counted.sheet;
      yield* itemsOf(entryActions(entryKey(name, { series, date, sequence }), counted.entry));
    }
    yield* itemsOf(sheetActions(name, { date, series }, { before: emptySheet, after: sheet }));
  }
}
