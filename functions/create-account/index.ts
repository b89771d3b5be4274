// Entry point of create-account.

import * as z from 'zod/mini';
import { Quotas } from '#shared/domain/quotas.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openTenantCharts } from '#shared/ledger/tenant-charts.ts';
import { openObservability } from '#shared/observability.ts';
import { openCharts } from '#shared/store/charts.ts';
import { openTable } from '#shared/store/table.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  BASE_DOMAIN: z.string(),
  QUOTAS: Quotas,
});

export const handler = createHandler({
  tenantCharts: openTenantCharts({
    charts: openCharts(openTable(environment.TABLE_NAME)),
    baseDomain: environment.BASE_DOMAIN,
  }),
  quotas: environment.QUOTAS,
  ...openObservability('create-account'),
});
