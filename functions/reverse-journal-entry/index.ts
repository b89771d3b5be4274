// Entry point of reverse-journal-entry.

import { openTenantApi } from '#shared/endpoint/api.container.ts';
import { openReversals } from '#shared/entries/reversals/reversals.service.ts';
import { openEntryReversals } from '#shared/entries/reversals/reversals.store.ts';
import { createHandler } from './handler.ts';

const api = openTenantApi('reverse-journal-entry', {});
const entryReversals = openEntryReversals(api.table);

export const handler = createHandler({
  ...api,
  reversals: openReversals({ entryReversals, clock: api.clock }),
});
