// Entry point of get-user-profile.

import * as z from 'zod/mini';
import { openApi } from '#shared/endpoint/api.container.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openTenantReader } from '#shared/tenants/tenant-links.store.ts';
import { openUsers } from '#shared/users/users.store.ts';
import { createHandler } from './handler.ts';

const api = openApi('get-user-profile', { PLATFORMS: Slots, AUTHENTICATOR_SECRET: z.string() });

export const handler = createHandler({
  ...api,
  users: openUsers(api.table),
  tenants: openTenantReader(api.table),
  slots: api.environment.PLATFORMS,
});
