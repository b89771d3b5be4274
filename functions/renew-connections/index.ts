// Entry point of renew-connections.

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { openApplications } from '#shared/applications/applications.store.ts';
import { openKeyedAuthenticators } from '#shared/authentication/authenticators.container.ts';
import { openDueWork } from '#shared/background/due-index.store.ts';
import { openConnections } from '#shared/connections/connections.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openTenantHistory } from '#shared/history/tenant-history.store.ts';
import { openStagePlatforms, platformSettings } from '#shared/platforms/registry.ts';
import { openTable } from '#shared/table/table.ts';
import { openTelemetry } from '#shared/telemetry.container.ts';
import { openTenantReader } from '#shared/tenants/tenant-links.store.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  AUTHENTICATOR_SECRET: z.string(),
  ...platformSettings,
});
const authenticators = openKeyedAuthenticators(environment.AUTHENTICATOR_SECRET);
const table = openTable(environment.TABLE_NAME, {}, { authenticators });
const { platforms, sealing } = openStagePlatforms(environment);

export const handler = createHandler({
  applications: openApplications(table),
  connections: openConnections(table, sealing),
  dueWork: openDueWork(table),
  tenants: openTenantReader(table),
  history: openTenantHistory(table),
  platforms,
  clock: () => new Date(),
  sleep,
  ...openTelemetry('renew-connections'),
});
