// The dependencies that the functions of the API share.

import * as z from 'zod/mini';
import { openChargedTable } from '../applications/charged-table.store.ts';
import { openKeyedAuthenticators } from '../authentication/authenticators.container.ts';
import { readEnvironment } from '../environment.ts';
import { CostBudget } from '../table/cost-budget.ts';
import { openTelemetry } from '../telemetry.container.ts';
import { openTenantReader } from '../tenants/tenant-links.store.ts';

/** The setting of functions that use items of tenants. */
export const authenticatorSettings = { AUTHENTICATOR_SECRET: z.string() };

/** @param settings the function's own environment variables, in addition to the common ones */
export const openApi = <Settings extends z.core.$ZodShape>(
  functionName: string,
  settings: Settings,
) => {
  const common = { TABLE_NAME: z.string(), COST_BUDGET: CostBudget };
  const environment = readEnvironment({ ...settings, ...common });
  const { AUTHENTICATOR_SECRET: secretId } = environment as { AUTHENTICATOR_SECRET?: string };
  const authenticators = secretId === undefined ? undefined : openKeyedAuthenticators(secretId);
  return {
    environment,
    table: openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET, { authenticators }),
    clock: () => new Date(),
    ...openTelemetry(functionName),
  };
};

/** The dependencies of functions whose requests name a tenant. */
export const openTenantApi = <Settings extends z.core.$ZodShape>(
  functionName: string,
  settings: Settings,
) => {
  const api = openApi(functionName, {
    ...settings,
    ...authenticatorSettings,
    BASE_DOMAIN: z.string(),
  });
  return {
    ...api,
    baseDomain: api.environment.BASE_DOMAIN,
    tenants: openTenantReader(api.table),
  };
};
