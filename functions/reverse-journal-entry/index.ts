// Entry point of reverse-journal-entry.

import * as z from 'zod/mini';
import { CostBudget } from '#shared/cost-budget.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openReversals } from '#shared/ledger/reversals.ts';
import { openObservability } from '#shared/observability.ts';
import { openChargedTable } from '#shared/store/charged-table.ts';
import { openEntryReversals } from '#shared/store/entry-reversals.ts';
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
