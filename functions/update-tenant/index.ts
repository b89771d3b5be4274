// Entry point of update-tenant.

import { openTenantApi } from '#shared/endpoint/tenant-api.container.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openTenantSettings } from '#shared/tenants/tenant-settings.store.ts';
import { openTenantUpdates } from '#shared/tenants/tenant-updates.service.ts';
import { createHandler } from './handler.ts';

const api = openTenantApi('update-tenant', { PLATFORMS: Slots });

export const handler = createHandler({
  ...api,
  tenantUpdates: openTenantUpdates({
    settings: openTenantSettings(api.table),
    clock: api.clock,
  }),
  slots: api.environment.PLATFORMS,
});
