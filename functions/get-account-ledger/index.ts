// Entry point of get-account-ledger.

import { setTimeout as sleep } from 'node:timers/promises';
import { openPostedEntries } from '#shared/entries/lists/posted-entries.store.ts';
import { openReportsApi } from '#shared/reports/reports.container.ts';
import { createHandler } from './handler.ts';

const api = openReportsApi('get-account-ledger');

export const handler = createHandler({
  ...api,
  postedEntries: openPostedEntries(api.table),
  sleep,
});
