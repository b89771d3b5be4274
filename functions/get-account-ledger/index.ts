// Entry point of get-account-ledger.

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { openPostedEntries } from '#shared/entries/lists/posted-entries.store.ts';
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

const table = openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET);

export const handler = createHandler({
  reportBooks: openReportBooks({
    sources: openReportSources(table),
    baseDomain: environment.BASE_DOMAIN,
  }),
  postedEntries: openPostedEntries(table),
  sleep,
  ...openObservability('get-account-ledger'),
});
