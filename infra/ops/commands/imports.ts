// The operator's commands for imports.

import * as z from 'zod/mini';
import { maximumReported } from '#shared/domain/import-report.ts';
import type { Import } from '#shared/store/imports.ts';
import { defineChange, defineQuery } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { getLinkedTenant, tenantOptions, tenantUsage } from './tenants.ts';

/** The failure that an import met last, with what the platform itself said of it. */
const lastFailureOf = ({ lastFailure }: Pick<Import, 'lastFailure'>) => ({
  last_failure: lastFailure?.reason ?? null,
  last_failure_at: lastFailure?.at ?? null,
  platform_code: lastFailure?.platformError?.code ?? null,
  platform_message: lastFailure?.platformError?.message ?? null,
  trace_id: lastFailure?.platformError?.traceId ?? null,
});

export const showImport = defineQuery({
  usage: tenantUsage,
  purpose: "Show how far the import of a tenant's data is, or how it ended",
  note:
    'The reason says why it failed, or why its last run ended early; the runbook explains it ' +
    'under import-tenant-data. One that waits goes on at that moment, or once its application ' +
    'is resumed; one that is requested or running is asked for again then, if nothing has come ' +
    'of it. An incremental one asks for what was made or changed since modified_since. Of the ' +
    'refused records, of what was assumed and of changed journals the first ' +
    `${maximumReported} are named. With the last failure is what the platform said of it: its ` +
    'support asks for the trace_id.',
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
      kind: found.modifiedSince === null ? 'complete' : 'incremental',
      modified_since: found.modifiedSince,
      status: found.status,
      reason: found.reason,
      ...lastFailureOf(found),
      stage: checkpoint.stage,
      accounts_imported: checkpoint.accountsImported,
      journals_imported: checkpoint.journalsImported,
      accounts_refused: checkpoint.accountsRefused,
      journals_refused: checkpoint.journalsRefused,
      runs_without_progress: found.runsWithoutProgress,
      requested_at: found.requestedAt,
      progressed_at: found.progressedAt,
      goes_on_at: found.nextAttemptAt,
      finished_at: found.finishedAt,
      refused_by_reason: Object.entries(checkpoint.refusedByReason).map(([reason, records]) => ({
        ...{ reason, records },
      })),
      refused: checkpoint.refused,
      assumption_count: checkpoint.assumptionCount,
      assumptions: checkpoint.assumptions,
      change_count: checkpoint.changeCount,
      changes: checkpoint.changes,
    };
  },
});

export const resumeImport = defineChange({
  usage: tenantUsage,
  purpose: 'Let an import that has not ended go on at once, from where it stands',
  note:
    'It does not wait for its moment, nor for the lease of a run that has died. A run that is ' +
    'alive after all writes nothing more. The import of a suspended application goes on waiting. ' +
    'To begin from the start, see imports restart; to resume all that are due, failures redrive.',
  change: {
    before: async (dependencies, asked) => {
      const { name } = await getLinkedTenant(dependencies, asked);
      const found = await dependencies.imports.find(name);
      return { import_id: found?.importId ?? null, import_status: found?.status ?? null };
    },
    after: ['import_status', 'import_id'],
  },
  options: z.strictObject(tenantOptions),
  run: async (dependencies, asked) => {
    const { imports, clock } = dependencies;
    const { name, identity } = await getLinkedTenant(dependencies, asked);
    const found = await imports.find(name);
    if (found === undefined) throw new CommandFailure(`no import of ${asked.tenant} was asked for`);
    if (!(await imports.resumeAtOnce(name, clock()))) {
      throw new CommandFailure(
        `the import of ${asked.tenant} has ended: imports restart begins anew`,
      );
    }
    return { ...identity, import_id: found.importId, import_status: 'requested' };
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
