// Entry point of get-tenant-balances.

import { openBalanceChecks } from '#shared/balances/balance-check.service.ts';
import { openPlatformBalances } from '#shared/balances/platform-balances.store.ts';
import { openTenantApi } from '#shared/endpoint/tenant-api.container.ts';
import { createHandler } from './handler.ts';

const api = openTenantApi('get-tenant-balances', {});

export const handler = createHandler({
  ...api,
  balanceChecks: openBalanceChecks(openPlatformBalances(api.table)),
});
