// Entry point of reverse-journal-entry.

import { Quotas } from '#shared/applications/quotas.ts';
import { openTenantApi } from '#shared/endpoint/tenant-api.container.ts';
import { openReversals } from '#shared/entries/reversals/reversals.service.ts';
import { openEntryReversals } from '#shared/entries/reversals/reversals.store.ts';
import { createHandler } from './handler.ts';

const api = openTenantApi('reverse-journal-entry', { QUOTAS: Quotas });
const entryReversals = openEntryReversals(api.table);

export const handler = createHandler({
  ...api,
  reversals: openReversals({
    entryReversals,
    quotas: api.environment.QUOTAS,
    clock: api.clock,
  }),
});
