// The dependencies of the functions that post entries.

import { Quotas } from '../applications/quotas.ts';
import { openTenantApi } from '../endpoint/tenant-api.container.ts';
import { openRatesOf, rateSettings } from '../rates/exchange-rates.container.ts';
import { openJournalEntries } from './journal-entries.store.ts';
import { openPosting } from './posting.service.ts';

export const openPostingApi = (functionName: string) => {
  const api = openTenantApi(functionName, { QUOTAS: Quotas, ...rateSettings });
  return {
    ...api,
    posting: openPosting({
      journalEntries: openJournalEntries(api.table, { clock: api.clock }),
      exchangeRates: openRatesOf(api.table, api.environment),
      quotas: api.environment.QUOTAS,
      clock: api.clock,
    }),
  };
};
