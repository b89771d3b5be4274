// The request to each endpoint that costs the most, of a tenant that is small enough to be made in
// seconds. full.test.ts has one as large as books get.

import { expect, test } from 'vitest';
import { openHostileTenant } from './hostile-tenant.ts';
import { searchWorstCosts } from './search.ts';

test('no endpoint has a request that costs more than its row says', async () => {
  const tenant = await openHostileTenant({
    ...{ accounts: 800, accountsOfFullDate: 400, dates: 40, accountsOfEachDate: 60 },
    ...{ smallEntries: 500, largeEntries: 3, tenants: 60 },
  });
  const costs = await searchWorstCosts(tenant, { randomStarts: 0, seed: 22 });
  await tenant.stop();
  await expect(costs).toMatchFileSnapshot('small.md');
}, 240_000);
