// Entry point of list-tenants.

import * as z from 'zod/mini';
import { openApi } from '#shared/endpoint/api.container.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openTenantReader } from '#shared/tenants/tenant-links.store.ts';
import { openTenantLists } from '#shared/tenants/tenant-lists.store.ts';
import { createHandler } from './handler.ts';

const api = openApi('list-tenants', { PLATFORMS: Slots, AUTHENTICATOR_SECRET: z.string() });

export const handler = createHandler({
  ...api,
  tenantLists: openTenantLists(api.table),
  tenants: openTenantReader(api.table),
  slots: api.environment.PLATFORMS,
});
