// Entry point of unlink-tenant.

import { openTenantLinksApi } from '#shared/tenants/tenant-links.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openTenantLinksApi('unlink-tenant'));
