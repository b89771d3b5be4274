// Entry point of get-user-profile.

import * as z from 'zod/mini';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { CostBudget } from '#shared/table/cost-budget.ts';
import { openTenantReader } from '#shared/tenants/tenant-reader.store.ts';
import { openUsers } from '#shared/users/users.store.ts';
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
