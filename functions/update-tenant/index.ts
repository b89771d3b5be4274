// Entry point of update-tenant.

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { CostBudget } from '#shared/cost-budget.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openTenantUpdates } from '#shared/ledger/tenant-updates.ts';
import { openObservability } from '#shared/observability.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openChargedTable } from '#shared/store/charged-table.ts';
import { openTenantSettings } from '#shared/store/tenant-settings.ts';
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
