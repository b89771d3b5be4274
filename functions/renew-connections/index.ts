// Entry point of renew-connections.

import { setTimeout as sleep } from 'node:timers/promises';
import { openBackground } from '#shared/background/background.container.ts';
import { openConnections } from '#shared/connections/connections.store.ts';
import { openTenantHistory } from '#shared/history/tenant-history.store.ts';
import { openStagePlatforms, platformSettings } from '#shared/platforms/registry.ts';
import { openTenantReader } from '#shared/tenants/tenant-links.store.ts';
import { createHandler } from './handler.ts';

const background = openBackground('renew-connections', platformSettings);
const { platforms, sealing } = openStagePlatforms(background.environment);

export const handler = createHandler({
  ...background,
  connections: openConnections(background.table, sealing),
  tenants: openTenantReader(background.table),
  history: openTenantHistory(background.table),
  platforms,
  sleep,
});
