// Entry point of import-tenant-data.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { openAccounts } from '#shared/accounts/accounts.store.ts';
import { openApplications } from '#shared/applications/applications.store.ts';
import { Quotas } from '#shared/applications/quotas.ts';
import { openKeyedAuthenticators } from '#shared/authentication/authenticators.container.ts';
import { openPlatformBalances } from '#shared/balances/platform-balances.store.ts';
import { openConnections } from '#shared/connections/connections.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openTenantHistory } from '#shared/history/tenant-history.store.ts';
import { openImportedJournals } from '#shared/imports/imported-journals.store.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import { ImportWriteUnits, openPacedTable } from '#shared/imports/paced-table.store.ts';
import { maximumPageBytes } from '#shared/platforms/http.ts';
import { openStagePlatforms, platformSettings } from '#shared/platforms/registry.ts';
import { openTelemetry } from '#shared/telemetry.container.ts';
import { openTenantReader } from '#shared/tenants/tenant-links.store.ts';
import { createHandler } from './handler.ts';
import { repeatByTimer } from './run-lease.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  AUTHENTICATOR_SECRET: z.string(),
  ...platformSettings,
  QUOTAS: Quotas,
  IMPORT_WRITE_UNITS: ImportWriteUnits,
});
const authenticators = openKeyedAuthenticators(environment.AUTHENTICATOR_SECRET);
const clock = () => new Date();
const { table, pace } = openPacedTable(environment.TABLE_NAME, environment.IMPORT_WRITE_UNITS, {
  authenticators,
  clock,
  sleep,
});
const { platforms, sealing } = openStagePlatforms(environment, {
  maximumReplyBytes: maximumPageBytes,
});

export const handler = createHandler({
  applications: openApplications(table),
  imports: openImports(table),
  history: openTenantHistory(table),
  connections: openConnections(table, sealing),
  accounts: openAccounts(table, environment.QUOTAS),
  journals: openImportedJournals(table),
  balances: openPlatformBalances(table),
  tenants: openTenantReader(table),
  platforms,
  clock,
  sleep,
  pace,
  repeat: repeatByTimer,
  newRunId: randomUUID,
  ...openTelemetry('import-tenant-data'),
});
