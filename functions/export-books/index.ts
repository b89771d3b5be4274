// Entry point of export-books.

import { setTimeout as sleep } from 'node:timers/promises';
import { openTenantApi } from '#shared/endpoint/tenant-api.container.ts';
import { openArchiveStores } from '#shared/exports/archives.container.ts';
import { createHandler } from './handler.ts';

const api = openTenantApi('export-books', {});

export const handler = createHandler({
  ...api,
  archiveStores: { ...openArchiveStores(api.table), sleep },
});
