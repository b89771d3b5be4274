// Entry point of confirm-tenant.

import { randomUUID } from 'node:crypto';
import { Quotas } from '#shared/applications/quotas.ts';
import { openPendingConnections } from '#shared/connections/pending-connections.store.ts';
import { openTenantApi } from '#shared/endpoint/tenant-api.container.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { createHandler } from './handler.ts';

const api = openTenantApi('confirm-tenant', { PLATFORMS: Slots, QUOTAS: Quotas });
const { PLATFORMS: slots, QUOTAS: quotas } = api.environment;

export const handler = createHandler({
  ...api,
  pendingConnections: openPendingConnections(api.table, quotas),
  quotas,
  slots,
  newImportId: randomUUID,
});
