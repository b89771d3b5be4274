// Entry point of unlink-tenant.

import * as z from 'zod/mini';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { CostBudget } from '#shared/table/cost-budget.ts';
import { openLinking } from '#shared/tenants/tenant-links.service.ts';
import { openTenantLinks } from '#shared/tenants/tenant-links.store.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  COST_BUDGET: CostBudget,
  BASE_DOMAIN: z.string(),
});

export const handler = createHandler({
  linking: openLinking({
    tenantLinks: openTenantLinks(openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET)),
    baseDomain: environment.BASE_DOMAIN,
  }),
  ...openObservability('unlink-tenant'),
});
