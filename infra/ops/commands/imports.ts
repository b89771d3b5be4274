// The operator's commands for imports.

import type { Comparison } from '#shared/balances/coverage.ts';
import { importCountsOf } from '#shared/imports/import-checkpoint.ts';
import type { Import } from '#shared/imports/import-record.store.ts';
import { defineChange, defineQuery, type Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import type { Values } from '../options.ts';
import { getLinkedTenant, tenantOptions } from './tenants.ts';

/** The last failure of an import, with the platform's own error. */
const lastFailureOf = ({ lastFailure }: Pick<Import, 'lastFailure'>) => ({
  last_failure: lastFailure?.reason ?? null,
  last_failure_at: lastFailure?.at ?? null,
  platform_code: lastFailure?.platformError?.code ?? null,
  platform_message: lastFailure?.platformError?.message ?? null,
  trace_id: lastFailure?.platformError?.traceId ?? null,
});

/** The comparison with the platform's trial balances. */
const comparisonViewOf = ({ checkedAt, completeAt, reason, days }: Comparison) => ({
  balances_checked_at: checkedAt,
  balances_complete_at: completeAt,
  balances_reason: reason,
  days_compared: days.length,
  days_that_differ: days.filter((day) => day.reason !== null),
});

export const showImport = defineQuery({
  needs: ['applications', 'importReports', 'operatorQueries', 'tenants'],
  options: tenantOptions,
  run: async (dependencies, options) => {
    const { name, tenant, identity } = await getLinkedTenant(dependencies, options);
    const lastImport = await dependencies.importReports.find(name);
    if (lastImport === undefined) throw new CommandFailure(`${options.tenant} has no import`);
    const { checkpoint } = lastImport;
    return {
      ...identity,
      tenant_status: tenant.status,
      import_id: lastImport.importId,
      kind: lastImport.modifiedSince === null ? 'complete' : 'incremental',
      modified_since: lastImport.modifiedSince,
      status: lastImport.status,
      reason: lastImport.reason,
      ...lastFailureOf(lastImport),
      stage: checkpoint.stage,
      ...importCountsOf(checkpoint),
      runs_without_progress: lastImport.runsWithoutProgress,
      requested_at: lastImport.requestedAt,
      progressed_at: lastImport.progressedAt,
      continues_at: lastImport.nextAttemptAt,
      finished_at: lastImport.finishedAt,
      refused_by_reason: Object.entries(checkpoint.refusedByReason).map(([reason, records]) => ({
        reason,
        records,
      })),
      refused: checkpoint.refused,
      assumption_count: checkpoint.assumptionCount,
      assumptions: checkpoint.assumptions,
      change_count: checkpoint.changeCount,
      changes: checkpoint.changes,
      ...comparisonViewOf(await dependencies.operatorQueries.comparison(name)),
    };
  },
});

/** The state before a change, for the audit log. */
const stateOf = async (
  dependencies: Pick<Readers, 'applications' | 'imports' | 'tenants'>,
  options: Values<typeof tenantOptions>,
) => {
  const { name, tenant } = await getLinkedTenant(dependencies, options);
  const { importId = null, status = null } = (await dependencies.imports.find(name)) ?? {};
  return { status: tenant.status, import_id: importId, import_status: status };
};

export const resumeImport = defineChange({
  change: {
    before: async (dependencies, options) => {
      const { status: _, ...before } = await stateOf(dependencies, options);
      return before;
    },
    after: ['import_status', 'import_id'],
  },
  needs: ['applications', 'clock', 'imports', 'tenants'],
  options: tenantOptions,
  run: async (dependencies, options) => {
    const { imports, clock } = dependencies;
    const { name, identity } = await getLinkedTenant(dependencies, options);
    const current = await imports.find(name);
    if (current === undefined) throw new CommandFailure(`${options.tenant} has no import`);
    if (!(await imports.resumeAtOnce(name, clock()))) {
      throw new CommandFailure(
        `the import of ${options.tenant} has ended: to start a new one, run imports restart`,
      );
    }
    return { ...identity, import_id: current.importId, import_status: 'requested' };
  },
});

export const restartImport = defineChange({
  change: {
    before: stateOf,
    after: ['status', 'import_id'],
  },
  needs: ['applications', 'clock', 'imports', 'newImportId', 'operatorQueries', 'tenants'],
  options: tenantOptions,
  run: async (dependencies, options) => {
    const { imports, clock, newImportId } = dependencies;
    const { name, tenant, identity } = await getLinkedTenant(dependencies, options);
    if ((await dependencies.operatorQueries.connection(name)) === undefined) {
      throw new CommandFailure(
        `${options.tenant} was never connected, so there is nothing to import`,
      );
    }
    const importId = newImportId();
    const requestedAt = clock().toISOString();
    if (!(await imports.request(name, { importId, requestedAt }))) {
      throw new CommandFailure(`${options.tenant} is disconnected: its user must connect it first`);
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

export const commands = { show: showImport, resume: resumeImport, restart: restartImport };
