// The dependencies of the functions that read entries.

import { openCharts } from '../../accounts/charts.store.ts';
import { openTenantApi } from '../../endpoint/tenant-api.container.ts';
import { openEntryLookups } from '../entry-lookups.store.ts';
import { openDueDates } from '../schedule/due-dates.store.ts';
import { openEntryLists } from './entry-lists.store.ts';
import { openEntryQueries } from './entry-queries.service.ts';

export const openEntryQueriesApi = (functionName: string) => {
  const api = openTenantApi(functionName, {});
  return {
    ...api,
    entryQueries: openEntryQueries({
      charts: openCharts(api.table),
      lookups: openEntryLookups(api.table),
      lists: openEntryLists(api.table),
      dueDates: openDueDates(api.table),
      clock: api.clock,
    }),
  };
};
