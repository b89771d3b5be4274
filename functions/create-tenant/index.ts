// Entry point of create-tenant.

import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { suffixFrom } from '#shared/domain/domain-names.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openLog } from '#shared/log.ts';
import { openMetrics } from '#shared/metrics.ts';
import { openPlatformClients, openPlatforms } from '#shared/platforms/registry.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openSecretsManager, openVersionedKeys } from '#shared/secrets.ts';
import { openSealing } from '#shared/store/sealing.ts';
import { openTable } from '#shared/store/table.ts';
import { openTenants } from '#shared/store/tenants.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  PLATFORMS: Slots,
  PLATFORM_CLIENTS_SECRET: z.string(),
  TOKEN_SEALING_SECRET: z.string(),
});
const secretsManager = openSecretsManager();
const sealing = openSealing(openVersionedKeys(secretsManager, environment.TOKEN_SEALING_SECRET));
const clients = openPlatformClients(secretsManager, environment.PLATFORM_CLIENTS_SECRET);

export const handler = createHandler({
  tenants: openTenants(openTable(environment.TABLE_NAME), {
    sealing,
    newSuffix: () => suffixFrom(randomBytes(6)),
  }),
  slots: environment.PLATFORMS,
  platforms: openPlatforms({ slots: environment.PLATFORMS, clients }),
  clock: () => new Date(),
  newImportId: randomUUID,
  log: openLog('create-tenant'),
  metrics: openMetrics('create-tenant'),
});
