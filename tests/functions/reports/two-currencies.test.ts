// Money in one other currency sold for another one: two entries and a clearing account, as the
// reference says.

import { expect, test } from 'vitest';
import { openTenantCalls } from '../../support/harnesses/calls.ts';

test('dollars sold for pounds leave nothing on the clearing account in euro', async () => {
  const { call } = await openTenantCalls();
  for (const [code, name] of [
    ['1015', 'Dollars'],
    ['1016', 'Pounds'],
  ] as const) {
    await call('createAccount', { code, name, type: 'asset', subtype: 'cash', cash_flow: 'cash' });
  }
  const clearing = { code: '1390', name: 'Currency clearing', type: 'asset' };
  await call('createAccount', { ...clearing, subtype: 'current_asset', cash_flow: 'operating' });
  const date = '2026-03-23';
  const post = (currency: string, [debit, credit]: [string, string], amount: string, more = {}) =>
    call('createEntry', {
      ...{ date, memo: 'Dollars sold for pounds' },
      ...{ transactionCurrency: currency, reportingCurrency: 'EUR', ...more },
      entries: [
        { account: debit, debit: amount },
        { account: credit, credit: amount },
      ],
    });
  await post('USD', ['1015', '3000'], '1000.00');
  const sold = await post('USD', ['1390', '1015'], '1000.00');
  expect(sold.book_amount).toBe('862.37');
  const exchange_rate = (862.37 / 740).toFixed(11);
  const bought = await post('GBP', ['1016', '1390'], '740.00', { exchange_rate });
  expect(bought.book_amount).toBe('862.37');
  const { rows } = await call('getTrialBalance', { account: '1390' });
  expect(rows[0].closing).toEqual({ debit: '0.00', credit: '0.00' });
  const revaluation = await call('getRevaluation', { as_of: date });
  const shown = revaluation.rows.map((it: { account: string; balance: string }) => [
    ...[it.account, it.balance],
  ]);
  expect(shown).toEqual([['1016', '740.00']]);
});
