// Imports of a platform's data into a tenant. The table's stream starts a requested import. A run
// works for up to the function's time limit and saves its checkpoint, and the next run continues
// there. The due index lists every unfinished import by the time of its next check.

import { dueImportKey } from '../table/due-keys.ts';
import { connectionKey, importKey, type TenantName } from '../table/keys.ts';
import {
  type Action,
  type Item,
  ifNotExists,
  type PutAction,
  type Table,
  type UpdateAction,
} from '../table/table.ts';
import { statusAction } from '../tenants/tenant-status.store.ts';
import type { TenantStatus } from '../tenants/tenants.ts';
import { Import } from './import-record.store.ts';
import type { ImportFailureReport } from './import-report.ts';
import { openImportResumption } from './import-resumption.store.ts';
import { dueAfterRequest, openImportRuns } from './import-runs.store.ts';
import { completeScope, type ImportScope, scopeAfter } from './import-scope.store.ts';
import { importChange, refusalAfter } from './import-status.store.ts';

/** The filter of the table's stream for imports that must start or continue. */
export const requestedImportPattern = { kind: 'import', status: 'requested' } as const;

/** The reason of an import that waits because its application is suspended. */
export const suspendedReason = 'application_suspended';

/** `requestedWithKey` is the id of the API key, if a request of the API asked for the import. */
type NewImport = {
  importId: string;
  requestedAt: string;
  requestedWithKey?: string | undefined;
};

/** The item of a requested import. It starts immediately. */
const requestedImport = (name: TenantName, request: NewImport, scope: ImportScope): Item => {
  const requested: Import = {
    ...requestedImportPattern,
    ...name,
    ...request,
    progressedAt: request.requestedAt,
    finishedAt: null,
    ...scope,
    lastFailure: null,
    runsWithoutProgress: 0,
    reason: null,
    runId: null,
  };
  const due = dueAfterRequest(name, new Date(request.requestedAt));
  return { ...importKey(name), ...requested, ...due };
};

/** The action that requests a complete import. It replaces an earlier import. */
export const requestImportAction = (name: TenantName, request: NewImport): Action => ({
  put: requestedImport(name, request, completeScope),
});

const notDue = { due_pk: undefined, due_sk: undefined };

/** Checks that the connection has tokens. Disconnecting a tenant deletes them. */
const connectedCheck = (name: TenantName): Action => ({
  check: connectionKey(name),
  condition: 'attribute_exists(sealedTokens)',
});

const importingAction = (name: TenantName): UpdateAction =>
  statusAction(name, { status: 'importing', reason: null });

/**
 * The same, but the tenant must not be disconnected. A tenant whose platform refused the tokens is
 * disconnected, although its connection still has them.
 */
const importingUnlessDisconnected = (name: TenantName): UpdateAction => {
  const action = importingAction(name);
  return {
    ...action,
    condition: `${action.condition} AND #status <> :disconnected`,
    values: { ...action.values, ':disconnected': 'disconnected' },
  };
};

/** The index of the import's own action in a request, after those of its tenant. */
const putIndex = 2;

export type Imports = ReturnType<typeof openImports>;

const findImport = async (table: Table, name: TenantName): Promise<Import | undefined> => {
  const item = await table.get(importKey(name));
  return item && Import.parse(item);
};

export const openImports = (table: Table, options: { clock?: () => Date } = {}) => ({
  ...openImportRuns(table),
  ...openImportResumption(table, options),

  find: (name: TenantName): Promise<Import | undefined> => findImport(table, name),

  /**
   * Requests a complete import of a connected tenant. It replaces an earlier import, even a running
   * one. Returns false and changes nothing if the tenant has no connection.
   */
  request: async (name: TenantName, request: NewImport): Promise<boolean> => {
    const actions = [
      connectedCheck(name),
      importingAction(name),
      requestImportAction(name, request),
    ];
    return (await table.transact(actions)).committed;
  },

  /**
   * Requests an import of changes. Changes nothing if an import is running or has just ended, or if
   * the tenant is not connected. The import is complete if the previous import could have missed
   * records; `lockDate` and `followPlatformEdits` are the tenant's.
   */
  requestChanges: async (
    name: TenantName,
    {
      lockDate,
      followPlatformEdits,
      ...request
    }: NewImport & { lockDate: string | undefined; followPlatformEdits?: boolean | undefined },
  ): Promise<'requested' | 'under_way' | 'ended_just_now' | 'not_connected'> => {
    for (;;) {
      const before = await findImport(table, name);
      const refusal = before && refusalAfter(before, request);
      if (refusal) return refusal;
      // Only a new import changes an ended import, so comparing the id is enough.
      const put: PutAction = {
        put: requestedImport(
          name,
          request,
          before
            ? scopeAfter(before, { ...request, lockDate, followPlatformEdits })
            : completeScope,
        ),
        condition: before ? 'importId = :before' : ifNotExists,
        ...(before && { values: { ':before': before.importId } }),
      };
      const outcome = await table.transact([
        connectedCheck(name),
        importingUnlessDisconnected(name),
        put,
      ]);
      if (outcome.committed) return 'requested';
      if ([...outcome.failed.keys()].some((index) => index < putIndex)) return 'not_connected';
    }
  },

  /**
   * Pauses a requested import until its application is resumed. It is due immediately. The tenant's
   * status does not change. Returns false if another run or import has replaced it.
   */
  suspend: (
    name: TenantName,
    { importId, now }: { importId: string; now: Date },
  ): Promise<boolean> =>
    table.update(
      importChange(name, {
        importId,
        from: ['requested'],
        set: {
          status: 'waiting',
          reason: suspendedReason,
          ...dueImportKey(name, { dueAt: now.toISOString(), setAt: now.toISOString() }),
        },
      }),
    ),

  /**
   * Ends an import and sets the tenant's status. With the status `active` the import is complete,
   * and `reason` is null unless the import refused records. Returns false and changes nothing if
   * another import has replaced this one, if this one has already ended, or if it is complete but
   * the tenant has lost its tokens, which the next run detects. A run passes its id and must have
   * the lease.
   * @param write writes the actions, by default alone
   */
  finish: async (
    name: TenantName,
    end: {
      importId: string;
      runId?: string;
      finishedAt: string;
      reason: string | null;
      lastFailure?: ImportFailureReport;
      tenantStatus: TenantStatus;
    },
    write: (actions: Action[]) => Promise<{ committed: boolean }> = table.transact,
  ): Promise<boolean> => {
    const { importId, runId, finishedAt, reason, lastFailure, tenantStatus } = end;
    const status = tenantStatus === 'active' ? 'complete' : 'failed';
    const outcome = await write([
      importChange(name, {
        importId,
        runId,
        from: runId === undefined ? ['requested', 'running', 'waiting'] : ['running'],
        set: { status, finishedAt, reason, ...(lastFailure && { lastFailure }), ...notDue },
      }),
      statusAction(name, { status: tenantStatus, reason }),
      ...(status === 'complete' ? [connectedCheck(name)] : []),
    ]);
    return outcome.committed;
  },
});
