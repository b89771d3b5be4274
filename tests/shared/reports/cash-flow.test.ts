import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCash } from '#shared/accounts/accounts.ts';
import { isExchangeDifference } from '#shared/accounts/line-classes.ts';
import { cashFlowOf } from '#shared/reports/cash-flow.ts';
import { profitAndLossOf } from '#shared/reports/profit-and-loss.ts';
import { codesIn, statementAccountsOf } from '#shared/reports/statement-sums.ts';
import {
  accountsIn,
  anyBooks,
  chartOf,
  dates,
  debitedTo,
  ofOneColumn,
  sharesByAccount,
  sumSheets,
  type TestEntry,
} from '../../support/builders/statement-books.ts';

describe('a statement of cash flows', () => {
  test('adds up to the cash accounts by both methods, for any accounts', () => {
    const two = fc.shuffledSubarray(dates, { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(anyBooks, two, (books, period) => {
        const [from, to] = period.toSorted() as [string, string];
        const accounts = accountsIn(books, { from, to });
        const direct = cashFlowOf(accounts, 'direct');
        const indirect = cashFlowOf(accounts, 'indirect');
        const { operating: _direct, ...sections } = direct;
        const { operating, ...same } = indirect;
        expect(same).toEqual(sections);
        expect(operating).toMatchObject({
          total: direct.operating.total,
          profit: profitAndLossOf(accounts).profit,
        });
        const cashAt = (isCounted: (entry: TestEntry) => boolean) =>
          debitedTo(books, isCash, isCounted);
        expect([direct.openingCash, direct.closingCash]).toEqual([
          ...[cashAt(({ date }) => date < from), cashAt(({ date }) => date <= to)],
        ]);
        expect(direct.openingCash + direct.netChange).toBe(direct.closingCash);
        const sumOf = (end: 'opening' | 'closing') =>
          direct.cashAccounts.reduce((total, account) => total + account[end], 0n);
        expect([sumOf('opening'), sumOf('closing')]).toEqual([
          ...[direct.openingCash, direct.closingCash],
        ]);
      }),
      { numRuns: 200 },
    );
  });

  test('shows the flow of each account once, and what needed no cash', () => {
    fc.assert(
      fc.property(anyBooks, (books) => {
        const period = { from: '2024-01-01', to: '2025-01-01' };
        const flows = ofOneColumn(cashFlowOf(accountsIn(books, period), 'direct'));
        if (flows.operating.method !== 'direct') throw new Error('another method');
        const { operating, investing, financing, transfers, unclassified, nonCash } = flows;
        const all = [operating, investing, financing].flatMap(({ accounts, separate }) => [
          ...accounts,
          ...separate.flatMap((item) => item.accounts),
        ]);
        const shares = sharesByAccount(
          books,
          ({ date }) => date >= period.from && date <= period.to,
        );
        const isExchange = (code: string) => {
          const account = books.chart.get(code);
          return account !== undefined && isExchangeDifference(account) && !isCash(account);
        };
        const expected = (share: 'flow' | 'nonCash', isMeant: (code: string) => boolean) =>
          [...shares]
            .filter(([code, it]) => isMeant(code) && it[share] !== 0n)
            .map(([code, it]) => [code, it[share]])
            .toSorted();
        const textOf = (accounts: typeof all) =>
          accounts.map(({ account, amount }) => [account.code, amount]).toSorted();
        expect(textOf([...all, ...transfers.accounts, ...unclassified.accounts])).toEqual(
          expected('flow', (code) => !isExchange(code)),
        );
        expect(textOf(nonCash.accounts)).toEqual(expected('nonCash', () => true));
        expect(flows.effectOfExchangeRates).toBe(
          expected('flow', isExchange).reduce((sum, [, flow]) => sum + BigInt(flow ?? 0), 0n),
        );
      }),
      { numRuns: 300 },
    );
  });
});

test.each([
  ['direct', 'closing cash by flows and by accounts: 4.00 and 5.00'],
  ['indirect', 'operating cash flows by both methods: 4.00 and 5.00'],
] as const)('%s cash flows that are not what cash moved by are refused', (method, message) => {
  const sheets = [{ date: '2026-01-01', rows: '1010\t\t5\n4010\t\t\t5\t4' }];
  const sums = sumSheets(sheets, '2026-01-01');
  const accounts = statementAccountsOf(sums, chartOf(), codesIn(sums));
  expect(() => cashFlowOf(accounts, method)).toThrow(message);
});
