// Entry point of get-tenant-import.

import { openTenantImportsApi } from '#shared/imports/tenant-imports.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openTenantImportsApi('get-tenant-import', {}));
