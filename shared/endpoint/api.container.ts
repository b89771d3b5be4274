// The dependencies that the functions of the API share.

import * as z from 'zod/mini';
import { openChargedTable } from '../applications/charged-table.store.ts';
import { readEnvironment } from '../environment.ts';
import { CostBudget } from '../table/cost-budget.ts';
import { openTelemetry } from '../telemetry.ts';
import { openTenantReader } from '../tenants/tenant-reader.store.ts';

/** @param settings the function's own environment variables, in addition to the common ones */
export const openApi = <Settings extends z.core.$ZodShape>(
  functionName: string,
  settings: Settings,
) => {
  const { TABLE_NAME, COST_BUDGET } = readEnvironment({
    TABLE_NAME: z.string(),
    COST_BUDGET: CostBudget,
  });
  return {
    environment: readEnvironment(settings),
    table: openChargedTable(TABLE_NAME, COST_BUDGET),
    clock: () => new Date(),
    ...openTelemetry(functionName),
  };
};

/** The dependencies of functions whose requests name a tenant. */
export const openTenantApi = <Settings extends z.core.$ZodShape>(
  functionName: string,
  settings: Settings,
) => {
  const api = openApi(functionName, settings);
  const { BASE_DOMAIN } = readEnvironment({ BASE_DOMAIN: z.string() });
  return { ...api, baseDomain: BASE_DOMAIN, tenants: openTenantReader(api.table) };
};
