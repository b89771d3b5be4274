// Entry point of link-tenant.

import { openTenantLinksApi } from '#shared/tenants/tenant-links.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openTenantLinksApi('link-tenant'));
