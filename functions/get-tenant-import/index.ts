// Entry point of get-tenant-import.

import * as z from 'zod/mini';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openTenantImports } from '#shared/imports/tenant-imports.store.ts';
import { openObservability } from '#shared/observability.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { CostBudget } from '#shared/table/cost-budget.ts';
import { openTenantQueries } from '#shared/tenants/tenant-queries.service.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  COST_BUDGET: CostBudget,
  BASE_DOMAIN: z.string(),
  PLATFORMS: Slots,
});

export const handler = createHandler({
  tenantQueries: openTenantQueries({
    tenantImports: openTenantImports(
      openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET),
    ),
    baseDomain: environment.BASE_DOMAIN,
  }),
  slots: environment.PLATFORMS,
  clock: () => new Date(),
  ...openObservability('get-tenant-import'),
});
