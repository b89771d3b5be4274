// Entry point of get-cash-flow.

import * as z from 'zod/mini';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { openReportBooks } from '#shared/reports/report-books.service.ts';
import { openReportSources } from '#shared/reports/report-sources.store.ts';
import { CostBudget } from '#shared/table/cost-budget.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  COST_BUDGET: CostBudget,
  BASE_DOMAIN: z.string(),
});

export const handler = createHandler({
  reportBooks: openReportBooks({
    sources: openReportSources(openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET)),
    baseDomain: environment.BASE_DOMAIN,
  }),
  clock: () => new Date(),
  ...openObservability('get-cash-flow'),
});
