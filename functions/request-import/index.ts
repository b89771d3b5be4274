// Entry point of request-import.

import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openImports } from '#shared/imports/imports.store.ts';
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
const table = openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET);

export const handler = createHandler({
  tenantQueries: openTenantQueries({
    tenantImports: openTenantImports(table),
    baseDomain: environment.BASE_DOMAIN,
  }),
  imports: openImports(table),
  slots: environment.PLATFORMS,
  clock: () => new Date(),
  newImportId: randomUUID,
  ...openObservability('request-import'),
});
