// Entry point of disconnect-tenant.

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { openConnections } from '#shared/connections/connections.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import { openTenantImports } from '#shared/imports/tenant-imports.store.ts';
import { openObservability } from '#shared/observability.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openStagePlatforms } from '#shared/platforms/stage-platforms.ts';
import { CostBudget } from '#shared/table/cost-budget.ts';
import { openTenantQueries } from '#shared/tenants/tenant-queries.service.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  COST_BUDGET: CostBudget,
  BASE_DOMAIN: z.string(),
  PLATFORMS: Slots,
  PLATFORM_CLIENTS_SECRET: z.string(),
  TOKEN_SEALING_SECRET: z.string(),
});
const table = openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET);
const { platforms, sealing } = openStagePlatforms(environment);

export const handler = createHandler({
  tenantQueries: openTenantQueries({
    tenantImports: openTenantImports(table),
    baseDomain: environment.BASE_DOMAIN,
  }),
  connections: openConnections(table, sealing),
  imports: openImports(table),
  slots: environment.PLATFORMS,
  platforms,
  clock: () => new Date(),
  sleep,
  ...openObservability('disconnect-tenant'),
});
