// Entry point of create-account.

import * as z from 'zod/mini';
import { CostBudget } from '#shared/cost-budget.ts';
import { Quotas } from '#shared/domain/quotas.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openTenantCharts } from '#shared/ledger/tenant-charts.ts';
import { openObservability } from '#shared/observability.ts';
import { openChargedTable } from '#shared/store/charged-table.ts';
import { openCharts } from '#shared/store/charts.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  COST_BUDGET: CostBudget,
  BASE_DOMAIN: z.string(),
  QUOTAS: Quotas,
});

export const handler = createHandler({
  tenantCharts: openTenantCharts({
    charts: openCharts(openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET)),
    baseDomain: environment.BASE_DOMAIN,
  }),
  quotas: environment.QUOTAS,
  ...openObservability('create-account'),
});
