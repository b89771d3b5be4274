// Entry point of get-account-ledger.

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { CostBudget } from '#shared/cost-budget.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openReportBooks } from '#shared/ledger/report-books.ts';
import { openObservability } from '#shared/observability.ts';
import { openChargedTable } from '#shared/store/charged-table.ts';
import { openPostedEntries } from '#shared/store/posted-entries.ts';
import { openReportSources } from '#shared/store/report-sources.ts';
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
