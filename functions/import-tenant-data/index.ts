// Entry point of import-tenant-data.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { Quotas } from '#shared/domain/quotas.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { maximumPageBytes } from '#shared/platforms/http.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openStagePlatforms } from '#shared/stage-platforms.ts';
import { openAccounts } from '#shared/store/accounts.ts';
import { openApplications } from '#shared/store/applications.ts';
import { openConnections } from '#shared/store/connections.ts';
import { openImportedJournals } from '#shared/store/imported-journals.ts';
import { openImports } from '#shared/store/imports.ts';
import { openTable } from '#shared/store/table.ts';
import { openTenantReader } from '#shared/store/tenants.ts';
import { createHandler } from './handler.ts';
import { repeatByTimer } from './run-lease.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  PLATFORMS: Slots,
  PLATFORM_CLIENTS_SECRET: z.string(),
  TOKEN_SEALING_SECRET: z.string(),
  QUOTAS: Quotas,
});
const table = openTable(environment.TABLE_NAME);
const { platforms, sealing } = openStagePlatforms(environment, {
  maximumReplyBytes: maximumPageBytes,
});

export const handler = createHandler({
  applications: openApplications(table),
  imports: openImports(table),
  connections: openConnections(table, sealing),
  accounts: openAccounts(table, environment.QUOTAS),
  journals: openImportedJournals(table),
  tenants: openTenantReader(table),
  platforms,
  clock: () => new Date(),
  sleep,
  repeat: repeatByTimer,
  newRunId: randomUUID,
  ...openObservability('import-tenant-data'),
});
