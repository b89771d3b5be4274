// Entry point of create-tenant.

import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { CostBudget } from '#shared/cost-budget.ts';
import { suffixFrom } from '#shared/domain/domain-names.ts';
import { Quotas } from '#shared/domain/quotas.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openStagePlatforms } from '#shared/stage-platforms.ts';
import { openChargedTable } from '#shared/store/charged-table.ts';
import { openTenants } from '#shared/store/tenants.ts';
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
