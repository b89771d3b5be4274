// Entry point of get-profit-and-loss.

import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openReportBooks } from '#shared/ledger/report-books.ts';
import { openObservability } from '#shared/observability.ts';
import { openReportSources } from '#shared/store/report-sources.ts';
import { openTable } from '#shared/store/table.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({ TABLE_NAME: z.string(), BASE_DOMAIN: z.string() });

export const handler = createHandler({
  reportBooks: openReportBooks({
    sources: openReportSources(openTable(environment.TABLE_NAME)),
    baseDomain: environment.BASE_DOMAIN,
  }),
  clock: () => new Date(),
  ...openObservability('get-profit-and-loss'),
});
