// Entry point of update-tenant.

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { CostBudget } from '#shared/table/cost-budget.ts';
import { openTenantSettings } from '#shared/tenants/tenant-settings.store.ts';
import { openTenantUpdates } from '#shared/tenants/tenant-updates.service.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  COST_BUDGET: CostBudget,
  BASE_DOMAIN: z.string(),
  PLATFORMS: Slots,
});

export const handler = createHandler({
  tenantUpdates: openTenantUpdates({
    settings: openTenantSettings(openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET)),
    baseDomain: environment.BASE_DOMAIN,
    clock: () => new Date(),
    newChangeId: () => randomBytes(6).toString('hex'),
  }),
  slots: environment.PLATFORMS,
  ...openObservability('update-tenant'),
});
