// Entry point of get-tenant.

import { openTenantApi } from '#shared/endpoint/tenant-api.container.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { createHandler } from './handler.ts';

const api = openTenantApi('get-tenant', { PLATFORMS: Slots });

export const handler = createHandler({ ...api, slots: api.environment.PLATFORMS });
