// Entry point of get-user-profile.

import * as z from 'zod/mini';
import { CostBudget } from '#shared/cost-budget.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openChargedTable } from '#shared/store/charged-table.ts';
import { openTenantReader } from '#shared/store/tenants.ts';
import { openUsers } from '#shared/store/users.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  COST_BUDGET: CostBudget,
  PLATFORMS: Slots,
});
const table = openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET);

export const handler = createHandler({
  users: openUsers(table),
  tenants: openTenantReader(table),
  slots: environment.PLATFORMS,
  clock: () => new Date(),
  ...openObservability('get-user-profile'),
});
