import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JournalLine } from '#shared/entries/journal-entry.ts';
import { type Figures, trialBalanceOf } from '#shared/reports/trial-balance.ts';
import {
  addRows,
  countEntry,
  type DaySheet,
  emptySheet,
  type NamedSheet,
} from '#shared/sheets/day-sheet.ts';
import { expectedEntry } from '../../support/builders/journal-entry.ts';
import { sumSheets } from '../../support/builders/statement-books.ts';

const dates = ['2025-12-31', '2026-01-01', '2026-01-02', '2026-02-28'];
const codes = ['1010', '10', '1010 petty', '4010', '5010'];
const currencies = ['EUR', 'USD', 'JPY'];

/** A posting of thousandths from one account to another. */
type Move = {
  date: string;
  accrualDate: string | null;
  from: string;
  to: string;
  thousandths: number;
  currency: string;
};
const move = fc.record<Move>({
  date: fc.constantFrom(...dates),
  accrualDate: fc.option(fc.constantFrom(...dates)),
  from: fc.constantFrom(...codes),
  to: fc.constantFrom(...codes),
  thousandths: fc.integer({ min: 1, max: 99_999 }),
  currency: fc.constantFrom(...currencies),
});
const rates: Record<string, number> = { EUR: 1, USD: 2, JPY: 3 };
const bookOf = ({ thousandths, currency }: Move): number => thousandths * (rates[currency] ?? 0);
const text = (thousandths: number): string => (thousandths / 1000).toFixed(3);

const entryOf = (it: Move) => {
  const { date, accrualDate, from, to, thousandths, currency } = it;
  const line = (lineNumber: number, account: string, isDebit: boolean): JournalLine => {
    const sides = (amount: string) => (isDebit ? [amount, '0.00'] : ['0.00', amount]);
    const [debit = '', credit = ''] = sides(text(thousandths));
    const [bookDebit = '', bookCredit = ''] = sides(text(bookOf(it)));
    return {
      ...(expectedEntry.lines[0] as JournalLine),
      lineNumber,
      account,
      debit,
      credit,
      bookDebit,
      bookCredit,
    };
  };
  return {
    ...expectedEntry,
    entryId: 'id',
    journalNumber: 'MJ-1',
    date,
    accrualDate,
    postingDate: accrualDate ?? date,
    transactionCurrency: currency,
    lines: [line(1, to, true), line(2, from, false)],
  };
};

/** The sheets after posting these moves in order. */
const sheetsAfter = (moves: readonly Move[]): NamedSheet[] => {
  const sheets = new Map<string, DaySheet>();
  for (const entry of moves.map(entryOf)) {
    const { sheet } = countEntry(entry, sheets.get(entry.postingDate) ?? emptySheet);
    sheets.set(entry.postingDate, sheet);
  }
  return [...sheets].map(([date, { added = [], ...sheet }]) => ({
    date,
    series: 'MJ',
    ...sheet,
    rows: addRows('', added),
  }));
};

const net = (amount: number) => ({
  debit: BigInt(Math.max(amount, 0)),
  credit: BigInt(Math.max(-amount, 0)),
});

/** The figures from the moves themselves; in book amounts without a currency. */
const figuresOf = (
  moves: readonly Move[],
  { account, from, currency }: { account: string; from: string; currency?: string },
): Figures => {
  const counted = moves.filter((it) => currency === undefined || it.currency === currency);
  const sum = (side: 'from' | 'to', isWithin: boolean) =>
    counted
      .filter((it) => it[side] === account && (it.accrualDate ?? it.date) >= from === isWithin)
      .reduce((total, it) => total + (currency === undefined ? bookOf(it) : it.thousandths), 0);
  const [before, within] = [sum('to', false) - sum('from', false), sum('to', true)];
  return {
    opening: net(before),
    movement: { debit: BigInt(within), credit: BigInt(sum('from', true)) },
    closing: net(before + within - sum('from', true)),
  };
};

const isSomething = ({ opening, movement, closing }: Figures): boolean =>
  [opening, movement, closing].some(({ debit, credit }) => debit > 0n || credit > 0n);

describe('a trial balance', () => {
  test('agrees with the sums of all lines and balances', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), fc.constantFrom(...dates), (moves, from) => {
        const sums = sumSheets(sheetsAfter(moves), from);
        const { rows, totals } = trialBalanceOf(sums);
        const expected = codes.toSorted().map((account) => ({
          account,
          ...figuresOf(moves, { account, from }),
          currencies: ['JPY', 'USD']
            .map((currency) => ({ currency, ...figuresOf(moves, { account, from, currency }) }))
            .filter(isSomething),
        }));
        const isShown = (row: (typeof expected)[number]) =>
          isSomething(row) || row.currencies.length > 0;
        expect(rows).toEqual(expected.filter(isShown));
        for (const { debit, credit } of Object.values(totals)) expect(debit).toBe(credit);
      }),
    );
  });

  const sheet = (rows: string) => ({ date: '2026-01-01', rows });
  test('omits accounts with only zeros, unless they have amounts in a currency', () => {
    const rows = '1010\t\t\t\t\n1010\tJPY\t0.01\t\t\n4010\t\t\t\t\n4010\tUSD\t\t\t';
    const shown = trialBalanceOf(sumSheets([sheet(rows)])).rows.map(({ account }) => account);
    expect(shown).toEqual(['1010']);
  });
});
