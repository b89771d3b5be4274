// Entry point of list-accounts.

import { openChartsApi } from '#shared/accounts/charts.container.ts';
import { openReportBooks } from '#shared/reports/report-books.service.ts';
import { openReportSources } from '#shared/reports/report-sources.store.ts';
import { createHandler } from './handler.ts';

const api = openChartsApi('list-accounts', {});

export const handler = createHandler({
  ...api,
  reportBooks: openReportBooks(openReportSources(api.table)),
});
