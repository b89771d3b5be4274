// Entry point of list-accounts.

import * as z from 'zod/mini';
import { openTenantCharts } from '#shared/accounts/charts.service.ts';
import { openCharts } from '#shared/accounts/charts.store.ts';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { CostBudget } from '#shared/table/cost-budget.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  COST_BUDGET: CostBudget,
  BASE_DOMAIN: z.string(),
});

export const handler = createHandler({
  tenantCharts: openTenantCharts({
    charts: openCharts(openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET)),
    baseDomain: environment.BASE_DOMAIN,
  }),
  ...openObservability('list-accounts'),
});
