import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Account } from '#shared/accounts/accounts.ts';
import { isOfProfit } from '#shared/accounts/line-classes.ts';
import {
  type BalanceSheetPart,
  balanceSheetOf,
  type DividedPart,
} from '#shared/reports/balance-sheet.ts';
import { fiscalYearStartOf } from '#shared/tenants/financial-year.ts';
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

const account = (code: string, more: Partial<Account>): Account => ({
  code,
  name: code,
  type: 'asset',
  status: 'active',
  ...more,
});

describe('a balance sheet', () => {
  test('agrees with the sums of all lines and balances, for any date and fiscal year', () => {
    const yearEnd = fc.constantFrom('12-31', '06-30', '02-29');
    fc.assert(
      fc.property(anyBooks, yearEnd, fc.constantFrom(...dates), (books, end, date) => {
        const from = fiscalYearStartOf({ date, yearEnd: end });
        const sheet = balanceSheetOf(accountsIn(books, { from, to: date }));
        const isUpToDate = (entry: { date: string }) => entry.date <= date;
        const isOfYear = (entry: { date: string }) => entry.date >= from && isUpToDate(entry);
        const [allProfit, yearsProfit] = [isUpToDate, isOfYear].map(
          (isCounted) => -debitedTo(books, isOfProfit, isCounted),
        ) as [bigint, bigint];
        const ofType = (type: string) => debitedTo(books, (it) => it.type === type, isUpToDate);
        expect([sheet.assets.total, sheet.liabilities.total, sheet.equity.total]).toEqual([
          ...[ofType('asset'), -ofType('liability'), allProfit - ofType('equity')],
        ]);
        const { retainedEarnings: retained } = sheet.equity;
        const ofSubtype = (subtype: string, isCounted: typeof isOfYear) =>
          -debitedTo(books, (it) => it.type === 'equity' && it.subtype === subtype, isCounted);
        const postedIn = (isCounted: typeof isOfYear) =>
          ofSubtype('distributions', isCounted) + ofSubtype('retained_earnings', isCounted);
        expect(retained).toMatchObject({
          opening: allProfit - yearsProfit + postedIn(isUpToDate) - postedIn(isOfYear),
          profit: yearsProfit,
          distributions: ofSubtype('distributions', isOfYear),
          otherMovements: ofSubtype('retained_earnings', isOfYear),
          closing: allProfit + postedIn(isUpToDate),
        });
        expect(retained.posted.total).toBe(postedIn(isUpToDate));
        for (const part of [sheet.assets, sheet.liabilities]) {
          expect(part.current.total + part.nonCurrent.total + part.withoutSubtype.total).toBe(
            part.total,
          );
        }
        expect(sheet.totalLiabilitiesAndEquity).toBe(sheet.assets.total);
      }),
    );
  });

  test('has sections in the order of subtypes, current and non-current', () => {
    const chart = chartOf(
      account('10', {}),
      account('99', { subtype: 'cash' }),
      account('11', { subtype: 'debt' }),
    );
    const [date, archived] = ['2026-03-01', account('1100', { subtype: 'receivable' })];
    const assets = '10 1, 11 1, 1510 1, 1590 1, 1100 1, 99 1, 1010 1';
    const books = {
      entries: [
        entryOn(date, `${assets}, 2500 -1, 2420 -1, 2000 -1, 3000 -1, 3100 -1, 4010 -2`),
        // Accounts with a balance of zero have no section.
        entryOn(date, '1200 5, 3000 -5, 3000 5, 1200 -5'),
      ],
      chart: new Map([...chart, ['1100', { ...archived, status: 'archived' as const }]]),
    };
    const sheet = ofOneColumn(balanceSheetOf(accountsIn(books, { from: '2026-01-01', to: date })));
    const sections = (part: BalanceSheetPart) =>
      part.sections.map(({ subtype, ...amounts }) => [subtype, shown(amounts)]);
    const divided = ({ current, nonCurrent, withoutSubtype }: DividedPart) => [
      sections(current),
      sections(nonCurrent),
      shown(withoutSubtype),
    ];
    expect(divided(sheet.assets)).toEqual([
      [
        ['cash', { 1010: '1.00', 99: '1.00' }],
        ['receivable', { 1100: '1.00' }],
      ],
      [['fixed_asset', { 1510: '1.00', 1590: '1.00' }]],
      { 10: '1.00', 11: '1.00' },
    ]);
    expect(divided(sheet.liabilities)).toEqual([
      [
        ['payable', { 2000: '1.00' }],
        ['current_debt', { 2420: '1.00' }],
      ],
      [['debt', { 2500: '1.00' }]],
      {},
    ]);
    expect(sections(sheet.equity)).toEqual([['contributed_capital', { 3000: '1.00' }]]);
    expect(shown(sheet.equity.retainedEarnings.posted)).toEqual({ 3100: '1.00' });
  });

  test('adds posted retained earnings to computed ones', () => {
    const entries = [
      entryOn('2024-05-01', '1010 9, 4010 -9'),
      entryOn('2025-05-01', '6000 2, 1010 -2'),
      // A closing entry, as other software posts it.
      entryOn('2025-12-31', '4010 9, 3200 -9'),
    ];
    const books = { entries, chart: chartOf() };
    const sheet = ofOneColumn(
      balanceSheetOf(accountsIn(books, { from: '2026-01-01', to: '2026-01-01' })),
    );
    expect(sheet.equity).toMatchObject({
      total: 7000n,
      retainedEarnings: { opening: 7000n, profit: 0n, closing: 7000n, posted: { total: 9000n } },
      sections: [],
    });
  });

  test('is refused if assets differ from liabilities and equity', () => {
    const sums = { before: 0n, within: -5000n, cashEffect: 0n, nonCash: 0n, disposed: 0n };
    expect(() => balanceSheetOf([{ account: account('1010', {}), ...sums }])).toThrow(
      'assets, and liabilities and equity: 5.00 and 0.00',
    );
  });
});
