// Entry point of get-journal-entry.

import * as z from 'zod/mini';
import { CostBudget } from '#shared/cost-budget.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openEntryQueries } from '#shared/ledger/entry-queries.ts';
import { openObservability } from '#shared/observability.ts';
import { openChargedTable } from '#shared/store/charged-table.ts';
import { openCharts } from '#shared/store/charts.ts';
import { openDueDates } from '#shared/store/due-dates.ts';
import { openEntryLists } from '#shared/store/entry-lists.ts';
import { openEntryLookups } from '#shared/store/entry-lookups.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  COST_BUDGET: CostBudget,
  BASE_DOMAIN: z.string(),
});
const table = openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET);

export const handler = createHandler({
  entryQueries: openEntryQueries({
    charts: openCharts(table),
    lookups: openEntryLookups(table),
    lists: openEntryLists(table),
    dueDates: openDueDates(table),
    clock: () => new Date(),
    baseDomain: environment.BASE_DOMAIN,
  }),
  ...openObservability('get-journal-entry'),
});
