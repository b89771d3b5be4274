// The comparison of the books with the platform's trial balances: random companies, whose whole
// books the platform has and whose journals alone it lists.

import Big from 'big.js';
import { expect, test } from 'vitest';
import { openPlatformBalances } from '#shared/balances/platform-balances.store.ts';
import { seededRandom } from '../../support/builders/random.ts';
import { account, journal, line, openTenantImports } from '../../support/harnesses/tenant-imports.ts';

const env = await openTenantImports();

test('a first smoke', async () => {
  const company = await env.connectCompany({
    accountPages: [
      [
        account('1'),
        account('2', { type: 'revenue' }),
        account('3', { type: 'equity', subtype: 'retained_earnings' }),
      ],
    ],
    journalPages: [[journal('a')]],
  });
  company.fake.books.trialBalance = ({ date }) => {
    const amount = date >= '2026-03-20' ? new Big(150) : new Big(50);
    return {
      rows: [
        { accountId: '1', name: 'One', type: 'asset', balance: amount },
        { accountId: '2', name: 'Two', type: 'revenue', balance: amount.times(-1) },
      ],
      total: amount,
      profitSince: 'start_of_books',
    };
  };
  await company.runToEnd();
  console.log(JSON.stringify(await company.state()));
  console.log(await openPlatformBalances(env.table).findComparison(company.name));
  console.log(company.fake.calls.join(' '));
  expect(1).toBe(1);
});
