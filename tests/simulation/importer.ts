// The functions that work on connected companies, as one process has them beside those of
// tests/support/harnesses/instances.ts: imports, the runs that resume them, and the renewal of
// tokens.

import { createHandler as createImportHandler } from '#functions/import-tenant-data/handler.ts';
import { createHandler as createRenewHandler } from '#functions/renew-connections/handler.ts';
import { createHandler as createResumeHandler } from '#functions/resume-imports/handler.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { VersionedKeys } from '#shared/secrets.ts';
import { openAccounts } from '#shared/store/accounts.ts';
import { openConnections } from '#shared/store/connections.ts';
import { openImportedJournals } from '#shared/store/imported-journals.ts';
import { openImports } from '#shared/store/imports.ts';
import { openSealing } from '#shared/store/sealing.ts';
import type { Table } from '#shared/store/table.ts';
import { openTenantReader } from '#shared/store/tenants.ts';
import { fixedSecret } from '../support/builders/secrets.ts';
import { keepLog } from '../support/recorders/log.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';

export type Importer = ReturnType<typeof openImporter>;

export const openImporter = (options: {
  table: Table;
  clock: () => Date;
  sleep: (milliseconds: number) => Promise<unknown>;
  /** What the run has left of its time. */
  remainingMilliseconds: () => number;
  newEntryId: () => string;
  platforms: Platforms;
  keys: VersionedKeys;
}) => {
  const { table, clock, sleep, newEntryId, platforms, keys } = options;
  const imports = openImports(table);
  const common = {
    imports,
    connections: openConnections(table, openSealing(fixedSecret(keys))),
    tenants: openTenantReader(table),
    platforms,
    clock,
    sleep,
    log: keepLog(),
    metrics: keepMetrics(),
  };
  return {
    remainingMilliseconds: options.remainingMilliseconds,
    runImport: createImportHandler({
      ...common,
      newEntryId,
      accounts: openAccounts(table),
      journals: openImportedJournals(table),
    }),
    resumeImports: createResumeHandler(common),
    renewConnections: createRenewHandler(common),
  };
};
