import { describe, expect, test } from 'vitest';
import { codesIn, statementAccountsOf } from '#shared/reports/statement-sums.ts';
import { chartOf, sumSheets } from '../../support/builders/statement-books.ts';

const accountsOf = (...sheets: [date: string, rows: string][]) => {
  const dated = sheets.map(([date, rows]) => ({ date, rows }));
  const sums = sumSheets(dated, '2026-01-01');
  return statementAccountsOf(sums, chartOf(), codesIn(sums));
};

describe('the accounts of a statement', () => {
  test('are ordered by code, with separate sums before the period', () => {
    const accounts = accountsOf(
      ['2026-01-01', '1010\t\t5.5\n4010\t\t\t5.5\t5.5'],
      ['2025-12-31', '1000\t\t7\n1000\tUSD\t8\n3000\t\t\t7\t7'],
      ['2026-01-02', '1010\t\t\t0.25\n4010\t\t0.25\t\t-0.25'],
    );
    expect(accounts.map(({ account, ...sums }) => [account.code, ...Object.values(sums)])).toEqual([
      ['1000', -7000n, 0n, 0n, 0n, 0n],
      ['1010', 0n, -5250n, 0n, 0n, 0n],
      ['3000', 7000n, 0n, 0n, 0n, 0n],
      ['4010', 0n, 5250n, 5250n, 0n, 0n],
    ]);
  });

  test.each([
    ['debits and credits of all accounts differ before the period', '2025-12-31', '4010\t\t\t4.99'],
    ['debits and credits of all accounts differ within the period', '2026-01-01', '4010\t\t\t4.99'],
    ['the chart has no account 666', '2026-01-01', '666\t\t\t5'],
  ])('are refused if %s', (message, date, row) => {
    expect(() => accountsOf([date, `1010\t\t5\n${row}`])).toThrow(message);
  });
});
