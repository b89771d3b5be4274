// Entry point of request-import.

import { randomUUID } from 'node:crypto';
import { openImports } from '#shared/imports/imports.store.ts';
import { openTenantImportsApi } from '#shared/imports/tenant-imports.container.ts';
import { createHandler } from './handler.ts';

const api = openTenantImportsApi('request-import', {});

export const handler = createHandler({
  ...api,
  imports: openImports(api.table),
  newImportId: randomUUID,
});
