import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Account } from '#shared/accounts/accounts.ts';
import { isOfProfit } from '#shared/accounts/line-classes.ts';
import { profitAndLossOf } from '#shared/reports/profit-and-loss.ts';
import {
  accountsIn,
  anyBooks,
  chartOf,
  dates,
  debitedTo,
  entryOn,
  ofOneColumn,
  shown,
} from '../../support/builders/statement-books.ts';

describe('a statement of profit and loss', () => {
  test('agrees with the sums of all lines, for a period and its parts', () => {
    const three = fc.shuffledSubarray(dates, { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(anyBooks, three, (books, period) => {
        const [from, middle, to] = period.toSorted() as [string, string, string];
        const profitOf = (first: string, last: string): bigint =>
          profitAndLossOf(accountsIn(books, { from: first, to: last })).profit;
        const next = dates[dates.indexOf(middle) + 1] ?? '';
        const isWithin = ({ date }: { date: string }) => date >= from && date <= to;
        expect(profitOf(from, to)).toBe(-debitedTo(books, isOfProfit, isWithin));
        expect(profitOf(from, middle) + profitOf(next, to)).toBe(profitOf(from, to));
      }),
    );
  });

  test('has each account in the section of its subtype, with the sign of the section', () => {
    const without = (code: string, type: Account['type']): Account => ({
      code,
      name: code,
      type,
      status: 'archived',
    });
    const chart = chartOf(without('4', 'revenue'), without('6', 'expense'));
    const entries = [
      entryOn('2025-12-31', '1010 0.05, 4000 -0.05'),
      entryOn(
        '2026-01-01',
        '4000 -10, 4 -3, 4090 1, 4600 -0.40, 1010 6.10, 5000 4, 6000 2, 6 0.30',
      ),
      entryOn('2026-01-01', '7100 -0.07, 7000 0.05, 8000 0.90, 7200 0.02, 4500 -0.03, 1010 -0.87'),
    ];
    const books = { entries, chart };
    const accounts = accountsIn(books, { from: '2026-01-01', to: '2026-12-31' });
    const statement = ofOneColumn(profitAndLossOf(accounts));
    const { grossProfit, operatingProfit, profitBeforeTax, profit, ...sections } = statement;
    expect(Object.entries(sections).map(([name, section]) => [name, shown(section)])).toEqual([
      ['revenue', { 4: '3.00', 4000: '10.00', 4090: '-1.00' }],
      ['costOfSales', { 5000: '4.00' }],
      ['operatingExpenses', { 6: '0.30', 6000: '2.00' }],
      ['otherIncome', { 4600: '0.40' }],
      ['otherExpenses', {}],
      ['exchangeDifferences', { 7100: '0.07' }],
      ['disposalResults', { 7200: '-0.02' }],
      ['interestAndDividendIncome', { 4500: '0.03' }],
      ['financeCosts', { 7000: '0.05' }],
      ['incomeTax', { 8000: '0.90' }],
    ]);
    expect({ grossProfit, operatingProfit, profitBeforeTax, profit }).toEqual({
      grossProfit: 8000n,
      operatingProfit: 6150n,
      profitBeforeTax: 6130n,
      profit: 5230n,
    });
    const below = profitAndLossOf(accounts, { profitLayout: 'other_items_below' });
    expect(ofOneColumn(below)).toEqual({
      ...statement,
      operatingProfit: 5700n,
    });
  });
});
