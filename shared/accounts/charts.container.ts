// The dependencies of the functions of the chart of accounts.

import type * as z from 'zod/mini';
import { openTenantApi } from '../endpoint/tenant-api.container.ts';
import { openAccountUse } from './account-use.store.ts';
import { openTenantCharts } from './charts.service.ts';
import { openCharts } from './charts.store.ts';

export const openChartsApi = <Settings extends z.core.$ZodShape>(
  functionName: string,
  settings: Settings,
) => {
  const api = openTenantApi(functionName, settings);
  const { table, clock } = api;
  const accountUse = openAccountUse(table);
  return { ...api, tenantCharts: openTenantCharts(openCharts(table), { accountUse, clock }) };
};
