import { describe, expect, test } from 'vitest';
import { maximumAccountCodeLength, maximumAccountNameLength } from '#shared/accounts/accounts.ts';
import { defaultChart } from '#shared/accounts/default-chart.ts';

const find = (code: string) => defaultChart.find((account) => account.code === code);

describe('the default chart of accounts', () => {
  test('has only active accounts, with their classifications', () => {
    expect(find('1010')).toEqual({
      code: '1010',
      name: 'Bank Current Account',
      type: 'asset',
      subtype: 'cash',
      normalBalance: 'debit',
      cashFlow: 'cash',
      role: 'default_bank',
      status: 'active',
    });
  });

  test('omits the cash-flow class and the role of accounts without them', () => {
    expect(find('4010')).not.toHaveProperty('role');
    expect(find('3900')).toEqual({
      code: '3900',
      name: 'Opening Balances',
      type: 'equity',
      subtype: 'suspense',
      normalBalance: 'credit',
      role: 'opening_balance',
      status: 'active',
    });
  });

  test('has unique codes in order, in the range of the type', () => {
    const codes = defaultChart.map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)].sort());
    const types = { '1': 'asset', '2': 'liability', '3': 'equity', '4': 'revenue' };
    for (const { code, type } of defaultChart) {
      expect(code).toMatch(/^[1-8]\d{3}$/);
      expect([code, type]).toEqual([code, types[code[0] as '1'] ?? 'expense']);
    }
  });

  test('has unique names within the maximum length', () => {
    const names = defaultChart.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const longest = (texts: string[]) => Math.max(...texts.map((text) => text.length));
    expect(longest(names)).toBeLessThanOrEqual(maximumAccountNameLength);
    const codes = defaultChart.map(({ code }) => code);
    expect(longest(codes)).toBeLessThanOrEqual(maximumAccountCodeLength);
  });

  test('has an account for each purpose that a ledger looks up', () => {
    const roles = defaultChart.flatMap(({ role }) => role ?? []).sort();
    expect(roles.join(' ')).toBe(
      'accounts_payable accounts_receivable default_bank fx_gain_loss intercompany_payable ' +
        'intercompany_receivable opening_balance payment_clearing retained_earnings rounding ' +
        'sales_tax_input sales_tax_output translation_reserve',
    );
  });

  // DynamoDB API Reference, TransactWriteItems: up to 100 actions. The tenant, its domain, its link
  // to the user and the idempotency guard take four.
  test('fits into one transaction together with its tenant', () => {
    expect(defaultChart.length).toBeGreaterThan(50);
    expect(defaultChart.length).toBeLessThanOrEqual(96);
  });
});
