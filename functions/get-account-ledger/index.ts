// Entry point of get-account-ledger.

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openReportBooks } from '#shared/ledger/report-books.ts';
import { openObservability } from '#shared/observability.ts';
import { openPostedEntries } from '#shared/store/posted-entries.ts';
import { openReportSources } from '#shared/store/report-sources.ts';
import { openTable } from '#shared/store/table.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({ TABLE_NAME: z.string(), BASE_DOMAIN: z.string() });

const table = openTable(environment.TABLE_NAME);

export const handler = createHandler({
  reportBooks: openReportBooks({
    sources: openReportSources(table),
    baseDomain: environment.BASE_DOMAIN,
  }),
  postedEntries: openPostedEntries(table),
  sleep,
  ...openObservability('get-account-ledger'),
});
