// Entry point of cancel-journal-entry.

import * as z from 'zod/mini';
import { CostBudget } from '#shared/cost-budget.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openCancellations } from '#shared/ledger/cancellations.ts';
import { openObservability } from '#shared/observability.ts';
import { openChargedTable } from '#shared/store/charged-table.ts';
import { openEntryCancellations } from '#shared/store/entry-cancellations.ts';
import { openEntryLookups } from '#shared/store/entry-lookups.ts';
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
