// The stores that an archive of books is read from.

import { openCharts } from '../accounts/charts.store.ts';
import { openEntryLists } from '../entries/lists/entry-lists.store.ts';
import { openPostedEntries } from '../entries/lists/posted-entries.store.ts';
import { openTenantHistory } from '../history/tenant-history.store.ts';
import { openReportBooks } from '../reports/report-books.service.ts';
import { openReportSources } from '../reports/report-sources.store.ts';
import { openDaySheets } from '../sheets/day-sheets.store.ts';
import type { Table } from '../table/table.ts';

export const openArchiveStores = (table: Table) => ({
  history: openTenantHistory(table),
  daySheets: openDaySheets(table),
  postedEntries: openPostedEntries(table),
  entryLists: openEntryLists(table),
  charts: openCharts(table),
  reportBooks: openReportBooks(openReportSources(table)),
});
