// The dependencies of the functions for revaluations.

import { Quotas } from '../applications/quotas.ts';
import { openTenantApi } from '../endpoint/tenant-api.container.ts';
import { openRatesOf, rateSettings } from '../rates/exchange-rates.container.ts';
import { openReportBooks } from '../reports/report-books.service.ts';
import { openReportSources } from '../reports/report-sources.store.ts';
import { openRevaluations } from './revaluations.service.ts';
import { openRevaluationRecords } from './revaluations.store.ts';

export const openRevaluationsApi = (functionName: string) => {
  const api = openTenantApi(functionName, { QUOTAS: Quotas, ...rateSettings });
  const reportBooks = openReportBooks(openReportSources(api.table));
  return {
    ...api,
    reportBooks,
    revaluations: openRevaluations({
      reportBooks,
      exchangeRates: openRatesOf(api.table, api.environment),
      records: openRevaluationRecords(api.table),
      quotas: api.environment.QUOTAS,
      clock: api.clock,
    }),
  };
};
