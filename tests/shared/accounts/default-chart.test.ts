import { describe, expect, test } from 'vitest';
import {
  accountTypes,
  cashFlowsFor,
  classificationOf,
  isCash,
  isSubtypeOf,
  maximumAccountCodeLength,
  maximumAccountNameLength,
  subtypesByType,
} from '#shared/accounts/accounts.ts';
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
    expect(find('4010')).not.toHaveProperty('role');
    expect(find('3900')).not.toHaveProperty('cashFlow');
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

  test('has unique names, and codes and names within their maximum lengths', () => {
    expect(new Set(defaultChart.map(({ name }) => name)).size).toBe(defaultChart.length);
    for (const { code, name } of defaultChart) {
      expect(code.length).toBeLessThanOrEqual(maximumAccountCodeLength);
      expect(name.length).toBeLessThanOrEqual(maximumAccountNameLength);
    }
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
    expect(defaultChart.length).toBeLessThanOrEqual(96);
  });

  test('has only accounts that a request could create, and at least one of every subtype', () => {
    for (const { code, type, subtype, cashFlow } of defaultChart) {
      expect([code, subtype && isSubtypeOf(type, subtype)]).toEqual([code, true]);
      const allowed = cashFlow === undefined || cashFlowsFor({ type, subtype }).includes(cashFlow);
      expect([code, allowed]).toEqual([code, true]);
    }
    const used = (type: string) =>
      new Set(defaultChart.filter((it) => it.type === type).map(({ subtype }) => subtype));
    // One account has the gains and the losses.
    const ofExpense = ['exchange_difference', 'disposal_result'];
    for (const type of accountTypes) {
      const expected = subtypesByType[type].filter(
        (it) => type !== 'revenue' || !ofExpense.includes(it),
      );
      expect(used(type)).toEqual(new Set(expected));
    }
  });

  test('has the usual cash-flow classes, with these exceptions', () => {
    const unusual = defaultChart.filter(
      ({ type, subtype, cashFlow }) =>
        classificationOf({ type, subtype }).cashFlow !== (cashFlow ?? null),
    );
    expect(unusual.map(({ code, name }) => `${code} ${name}`)).toEqual([
      '1060 Transfers between Own Accounts',
      '1590 Accumulated Depreciation',
      '1690 Accumulated Amortisation',
      '2700 Provisions and Other Long-term Liabilities',
    ]);
  });

  test('has the cash of a company in three accounts', () => {
    expect(defaultChart.filter(isCash).map(({ code }) => code)).toEqual(['1000', '1010', '1020']);
  });
});
