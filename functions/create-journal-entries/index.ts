// Entry point of create-journal-entries.

import * as z from 'zod/mini';
import { CostBudget } from '#shared/cost-budget.ts';
import { Quotas } from '#shared/domain/quotas.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openPosting } from '#shared/ledger/posting.ts';
import { openObservability } from '#shared/observability.ts';
import { openChargedTable } from '#shared/store/charged-table.ts';
import { openExchangeRates } from '#shared/store/exchange-rates.ts';
import { openJournalEntries } from '#shared/store/journal-entries.ts';
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
