// Entry point of list-journal-entries.

import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openNamedEntries } from '#shared/ledger/named-entries.ts';
import { openObservability } from '#shared/observability.ts';
import { openCharts } from '#shared/store/charts.ts';
import { openDueDates } from '#shared/store/due-dates.ts';
import { openEntryLists } from '#shared/store/entry-lists.ts';
import { openEntryLookups } from '#shared/store/entry-lookups.ts';
import { openTable } from '#shared/store/table.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({ TABLE_NAME: z.string(), BASE_DOMAIN: z.string() });
const table = openTable(environment.TABLE_NAME);

export const handler = createHandler({
  namedEntries: openNamedEntries({
    charts: openCharts(table),
    lookups: openEntryLookups(table),
    lists: openEntryLists(table),
    dueDates: openDueDates(table),
    clock: () => new Date(),
    baseDomain: environment.BASE_DOMAIN,
  }),
  ...openObservability('list-journal-entries'),
});
