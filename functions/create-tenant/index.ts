// Entry point of create-tenant.

import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { Quotas } from '#shared/applications/quotas.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openStagePlatforms } from '#shared/platforms/stage-platforms.ts';
import { CostBudget } from '#shared/table/cost-budget.ts';
import { suffixFrom } from '#shared/tenants/domain-names.ts';
import { openTenants } from '#shared/tenants/tenants.store.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  COST_BUDGET: CostBudget,
  PLATFORMS: Slots,
  PLATFORM_CLIENTS_SECRET: z.string(),
  TOKEN_SEALING_SECRET: z.string(),
  QUOTAS: Quotas,
});
const { platforms, sealing } = openStagePlatforms(environment);

export const handler = createHandler({
  tenants: openTenants(openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET), {
    sealing,
    newSuffix: () => suffixFrom(randomBytes(6)),
    quotas: environment.QUOTAS,
  }),
  quotas: environment.QUOTAS,
  slots: environment.PLATFORMS,
  platforms,
  clock: () => new Date(),
  newImportId: randomUUID,
  ...openObservability('create-tenant'),
});
