// Entry point of disconnect-tenant.

import { setTimeout as sleep } from 'node:timers/promises';
import { openConnections } from '#shared/connections/connections.store.ts';
import { openTenantHistory } from '#shared/history/tenant-history.store.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import { openTenantImportsApi } from '#shared/imports/tenant-imports.container.ts';
import { openStagePlatforms, platformSettings } from '#shared/platforms/registry.ts';
import { createHandler } from './handler.ts';

const api = openTenantImportsApi('disconnect-tenant', platformSettings);
const { platforms, sealing } = openStagePlatforms(api.environment);

export const handler = createHandler({
  ...api,
  connections: openConnections(api.table, sealing),
  imports: openImports(api.table),
  history: openTenantHistory(api.table),
  platforms,
  sleep,
});
