// Entry point of renew-connections.

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openLog } from '#shared/log.ts';
import { openMetrics } from '#shared/metrics.ts';
import { openPlatformClients, openPlatforms } from '#shared/platforms/registry.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openSecretsManager, openVersionedKeys } from '#shared/secrets.ts';
import { openConnections } from '#shared/store/connections.ts';
import { openSealing } from '#shared/store/sealing.ts';
import { openTable } from '#shared/store/table.ts';
import { openTenantReader } from '#shared/store/tenants.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  PLATFORMS: Slots,
  PLATFORM_CLIENTS_SECRET: z.string(),
  TOKEN_SEALING_SECRET: z.string(),
});
const table = openTable(environment.TABLE_NAME);
const secretsManager = openSecretsManager();
const sealing = openSealing(openVersionedKeys(secretsManager, environment.TOKEN_SEALING_SECRET));
const clients = openPlatformClients(secretsManager, environment.PLATFORM_CLIENTS_SECRET);

export const handler = createHandler({
  connections: openConnections(table, sealing),
  tenants: openTenantReader(table),
  platforms: openPlatforms({ slots: environment.PLATFORMS, clients }),
  clock: () => new Date(),
  sleep,
  log: openLog('renew-connections'),
  metrics: openMetrics('renew-connections'),
});
