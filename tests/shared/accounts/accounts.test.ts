import { describe, expect, test } from 'vitest';
import {
  accountTypes,
  cashFlowsFor,
  classificationOf,
  isCash,
  isSubtypeOf,
  subtypesByType,
} from '#shared/accounts/accounts.ts';
import { defaultChart } from '#shared/accounts/default-chart.ts';

describe('the default chart', () => {
  test('has only accounts that a request could create, and at least one of every subtype', () => {
    for (const { code, type, subtype, cashFlow } of defaultChart) {
      expect([code, subtype && isSubtypeOf(type, subtype)]).toEqual([code, true]);
      const allowed = cashFlow === undefined || cashFlowsFor({ type, subtype }).includes(cashFlow);
      expect([code, allowed]).toEqual([code, true]);
    }
    const used = (type: string) =>
      new Set(defaultChart.filter((it) => it.type === type).map(({ subtype }) => subtype));
    for (const type of accountTypes) expect(used(type)).toEqual(new Set(subtypesByType[type]));
  });

  test('has the usual cash-flow classes, with these exceptions', () => {
    const unusual = defaultChart.filter(
      ({ type, subtype, cashFlow }) =>
        classificationOf({ type, subtype }).cashFlow !== (cashFlow ?? null),
    );
    expect(unusual.map(({ code, name }) => `${code} ${name}`)).toEqual([
      '1590 Accumulated Depreciation',
      '1690 Accumulated Amortisation',
      '2450 Dividends Payable',
      '2600 Deferred Tax',
      '7200 Gain or Loss on Asset Disposal',
    ]);
  });

  test('has the cash of a company in three accounts', () => {
    expect(defaultChart.filter(isCash).map(({ code }) => code)).toEqual(['1000', '1010', '1020']);
  });
});
