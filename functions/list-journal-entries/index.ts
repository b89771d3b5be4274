// Entry point of list-journal-entries.

import * as z from 'zod/mini';
import { openCharts } from '#shared/accounts/charts.store.ts';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { openEntryLookups } from '#shared/entries/entry-lookups.store.ts';
import { openEntryLists } from '#shared/entries/lists/entry-lists.store.ts';
import { openEntryQueries } from '#shared/entries/lists/entry-queries.service.ts';
import { openDueDates } from '#shared/entries/schedule/due-dates.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { CostBudget } from '#shared/table/cost-budget.ts';
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
  ...openObservability('list-journal-entries'),
});
