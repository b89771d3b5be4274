// Entry point of reverse-journal-entry.

import * as z from 'zod/mini';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { openReversals } from '#shared/entries/reversals/reversals.service.ts';
import { openEntryReversals } from '#shared/entries/reversals/reversals.store.ts';
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
  reversals: openReversals({
    entryReversals: openEntryReversals(
      openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET),
    ),
    baseDomain: environment.BASE_DOMAIN,
    clock: () => new Date(),
  }),
  ...openObservability('reverse-journal-entry'),
});
