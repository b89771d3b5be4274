// The request to each endpoint that costs the most, of a tenant as large as books get.

import { expect, test } from 'vitest';
import { openHostileTenant } from './hostile-tenant.ts';
import { searchWorstCosts } from './search.ts';

test('no endpoint has a request that costs more than its row says', async () => {
  const tenant = await openHostileTenant({
    accounts: 5_000,
    accountsOfFullDate: 1_350,
    dates: 100,
    accountsOfEachDate: 200,
    smallEntries: 4_000,
    largeEntries: 30,
    tenants: 2_000,
  });
  const costs = await searchWorstCosts(tenant, { randomStarts: 1, seed: 22 });
  await tenant.stop();
  await expect(costs).toMatchFileSnapshot('full.md');
}, 1_800_000);
