import { expect, test } from 'vitest';
import { byService } from '#shared/history/tenant-history.ts';
import { openTenants } from '#shared/tenants/tenants.store.ts';
import { testQuotas } from '../../support/builders/quotas.ts';
import { detailsOf, openTestTenants, tenantOf } from '../../support/builders/tenants.ts';

const database = await openTestTenants();
const { newOwner } = database;

test('a tenant gets another suffix if another application has its prefix', async () => {
  const suffixes = ['aaaaaa', 'aaaaaa', 'bbbbbb'];
  const { create } = openTenants(database.table, {
    ...database,
    newSuffix: () => suffixes.shift() ?? 'none',
    quotas: testQuotas,
  });
  const owners = [await newOwner('1@example.com', 'app2'), await newOwner('2@example.com')];
  const prefixes: string[] = [];
  for (const owner of owners) {
    const request = { details: detailsOf('Taken'), accounts: [], idempotentRequest: undefined };
    prefixes.push(tenantOf(await create(owner, { ...request, by: byService })).prefix);
  }
  expect(prefixes).toEqual(['taken-aaaaaa', 'taken-bbbbbb']);
});
