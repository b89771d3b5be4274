// The dependencies of the functions that post entries.

import * as z from 'zod/mini';
import { Quotas } from '../applications/quotas.ts';
import { openTenantApi } from '../endpoint/api.container.ts';
import { openExchangeRates } from '../rates/exchange-rates.store.ts';
import { openJournalEntries } from './journal-entries.store.ts';
import { openPosting } from './posting.service.ts';

export const openPostingApi = (functionName: string) => {
  const api = openTenantApi(functionName, {
    QUOTAS: Quotas,
    /** A number of days, or `any`. */
    RATE_MAXIMUM_AGE_DAYS: z.union([z.literal('any'), z.string().check(z.regex(/^\d+$/))]),
  });
  const { QUOTAS: quotas, RATE_MAXIMUM_AGE_DAYS: age } = api.environment;
  const maximumAgeDays = age === 'any' ? undefined : Number(age);
  return {
    ...api,
    posting: openPosting({
      journalEntries: openJournalEntries(api.table, { clock: api.clock }),
      exchangeRates: openExchangeRates(api.table, { maximumAgeDays }),
      quotas,
      clock: api.clock,
    }),
  };
};
