// Entry point of create-journal-entries.

import * as z from 'zod/mini';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { Quotas } from '#shared/applications/quotas.ts';
import { openJournalEntries } from '#shared/entries/journal-entries.store.ts';
import { openPosting } from '#shared/entries/posting.service.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { CostBudget } from '#shared/table/cost-budget.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  COST_BUDGET: CostBudget,
  BASE_DOMAIN: z.string(),
  QUOTAS: Quotas,
  /** A number of days, or `any`. */
  RATE_MAXIMUM_AGE_DAYS: z.union([z.literal('any'), z.string().check(z.regex(/^\d+$/))]),
});
const table = openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET);
const maximumAge = environment.RATE_MAXIMUM_AGE_DAYS;

export const handler = createHandler({
  posting: openPosting({
    journalEntries: openJournalEntries(table),
    exchangeRates: openExchangeRates(table, {
      maximumAgeDays: maximumAge === 'any' ? undefined : Number(maximumAge),
    }),
    baseDomain: environment.BASE_DOMAIN,
    quotas: environment.QUOTAS,
    clock: () => new Date(),
  }),
  ...openObservability('create-journal-entries'),
});
