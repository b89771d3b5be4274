// Entry point of renew-connections.

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openStagePlatforms } from '#shared/stage-platforms.ts';
import { openApplications } from '#shared/store/applications.ts';
import { openConnections } from '#shared/store/connections.ts';
import { openDueWork } from '#shared/store/due-index.ts';
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
const { platforms, sealing } = openStagePlatforms(environment);

export const handler = createHandler({
  applications: openApplications(table),
  connections: openConnections(table, sealing),
  dueWork: openDueWork(table),
  tenants: openTenantReader(table),
  platforms,
  clock: () => new Date(),
  sleep,
  ...openObservability('renew-connections'),
});
