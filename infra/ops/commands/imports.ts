// The operator's commands for imports.

import * as z from 'zod/mini';
import { defineChange, defineQuery } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { getLinkedTenant, tenantOptions, tenantUsage } from './tenants.ts';

export const showImport = defineQuery({
  usage: tenantUsage,
  purpose: "Show how far the import of a tenant's data is, or how it ended",
  note:
    'The reason says why it failed, or why its last run ended early; the runbook explains it ' +
    'under import-tenant-data. One that waits goes on at that moment, or once its application ' +
    'is resumed; one that is requested or running is asked for again then, if nothing has come ' +
    'of it. Of the refused journals the first 20 are listed.',
  options: z.strictObject(tenantOptions),
  run: async (dependencies, asked) => {
    const { name, tenant, identity } = await getLinkedTenant(dependencies, asked);
    const found = await dependencies.operatorQueries.import(name);
    if (found === undefined) throw new CommandFailure(`no import of ${asked.tenant} was asked for`);
    const { checkpoint } = found;
    return {
      ...identity,
      tenant_status: tenant.status,
      import_id: found.importId,
      status: found.status,
      reason: found.reason,
      stage: checkpoint.stage,
      accounts_imported: checkpoint.accountsImported,
      journals_imported: checkpoint.journalsImported,
      journals_refused: checkpoint.journalsRefused,
      runs_without_progress: found.runsWithoutProgress,
      requested_at: found.requestedAt,
      progressed_at: found.progressedAt,
      goes_on_at: found.nextAttemptAt,
      finished_at: found.finishedAt,
      refused_journals: checkpoint.refused.map(({ reference, reason }) => ({
        reference,
        reason,
      })),
    };
  },
});

export const restartImport = defineChange({
  usage: tenantUsage,
  purpose: "Import a connected tenant's data anew, in the place of an import that failed or hangs",
  note:
    'The import starts within seconds, from the beginning; what is there already is not recorded ' +
    'twice. imports show says how it goes. Of a tenant that is disconnected its user must give ' +
    'consent again first; that of a suspended application waits until it is resumed.',
  change: {
    before: async (dependencies, asked) => {
      const { name, tenant } = await getLinkedTenant(dependencies, asked);
      const found = await dependencies.imports.find(name);
      return {
        status: tenant.status,
        import_id: found?.importId ?? null,
        import_status: found?.status ?? null,
      };
    },
    after: ['status', 'import_id'],
  },
  options: z.strictObject(tenantOptions),
  run: async (dependencies, asked) => {
    const { imports, clock, newImportId } = dependencies;
    const { name, tenant, identity } = await getLinkedTenant(dependencies, asked);
    if ((await dependencies.operatorQueries.connection(name)) === undefined) {
      throw new CommandFailure(
        `${asked.tenant} was never connected, so there is nothing to import`,
      );
    }
    const importId = newImportId();
    const requestedAt = clock().toISOString();
    if (!(await imports.request(name, { importId, requestedAt }))) {
      throw new CommandFailure(`${asked.tenant} is disconnected: its user must connect it first`);
    }
    return {
      ...identity,
      status: 'importing',
      status_before: tenant.status,
      import_id: importId,
      requested_at: requestedAt,
    };
  },
});
