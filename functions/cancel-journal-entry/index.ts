// Entry point of cancel-journal-entry.

import { openTenantApi } from '#shared/endpoint/tenant-api.container.ts';
import { openEntryLookups } from '#shared/entries/entry-lookups.store.ts';
import { openCancellations } from '#shared/entries/schedule/cancellations.service.ts';
import { openEntryCancellations } from '#shared/entries/schedule/cancellations.store.ts';
import { createHandler } from './handler.ts';

const api = openTenantApi('cancel-journal-entry', {});

export const handler = createHandler({
  ...api,
  cancellations: openCancellations({
    entryCancellations: openEntryCancellations(api.table),
    lookups: openEntryLookups(api.table),
    clock: api.clock,
  }),
});
