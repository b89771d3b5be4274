// Entry point of confirm-tenant.

import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { Quotas } from '#shared/applications/quotas.ts';
import { openPendingConnections } from '#shared/connections/pending-connections.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { CostBudget } from '#shared/table/cost-budget.ts';
import { openTenantReader } from '#shared/tenants/tenant-reader.store.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  COST_BUDGET: CostBudget,
  BASE_DOMAIN: z.string(),
  PLATFORMS: Slots,
  QUOTAS: Quotas,
});
const table = openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET);

export const handler = createHandler({
  pendingConnections: openPendingConnections(table, environment.QUOTAS),
  tenants: openTenantReader(table),
  quotas: environment.QUOTAS,
  baseDomain: environment.BASE_DOMAIN,
  slots: environment.PLATFORMS,
  clock: () => new Date(),
  newImportId: randomUUID,
  ...openObservability('confirm-tenant'),
});
