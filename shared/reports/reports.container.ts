// The dependencies of the functions that report on a tenant's books.

import { openTenantApi } from '../endpoint/tenant-api.container.ts';
import { openReportBooks } from './report-books.service.ts';
import { openReportSources } from './report-sources.store.ts';

export const openReportsApi = (functionName: string) => {
  const api = openTenantApi(functionName, {});
  return { ...api, reportBooks: openReportBooks(openReportSources(api.table)) };
};
