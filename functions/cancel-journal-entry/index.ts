// Entry point of cancel-journal-entry.

import * as z from 'zod/mini';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { openEntryLookups } from '#shared/entries/entry-lookups.store.ts';
import { openCancellations } from '#shared/entries/schedule/cancellations.service.ts';
import { openEntryCancellations } from '#shared/entries/schedule/cancellations.store.ts';
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
  cancellations: openCancellations({
    entryCancellations: openEntryCancellations(table),
    lookups: openEntryLookups(table),
    baseDomain: environment.BASE_DOMAIN,
    clock: () => new Date(),
  }),
  ...openObservability('cancel-journal-entry'),
});
