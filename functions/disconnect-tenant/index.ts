// Entry point of disconnect-tenant.

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { openConnections } from '#shared/connections/connections.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import { openTenantImportsApi } from '#shared/imports/tenant-imports.container.ts';
import { openStagePlatforms } from '#shared/platforms/stage-platforms.ts';
import { createHandler } from './handler.ts';

const api = openTenantImportsApi('disconnect-tenant');
const secrets = readEnvironment({
  PLATFORM_CLIENTS_SECRET: z.string(),
  TOKEN_SEALING_SECRET: z.string(),
});
const { platforms, sealing } = openStagePlatforms({ PLATFORMS: api.slots, ...secrets });

export const handler = createHandler({
  ...api,
  connections: openConnections(api.table, sealing),
  imports: openImports(api.table),
  platforms,
  sleep,
});
