// Imports of a platform's data into a tenant. The table's stream starts one that is requested; it
// runs for as long as a function may, saves its checkpoint, and is taken up again from there. What
// has not ended is in the due index, under the moment at which somebody must look at it.

import * as z from 'zod/mini';
import { dueImportKey } from '../table/due-keys.ts';
import { importKey, type TenantName } from '../table/keys.ts';
import { type Action, type Item, ifNotExists, type PutAction, type Table } from '../table/table.ts';
import { statusAction } from '../tenants/tenant-status.store.ts';
import type { TenantStatus } from '../tenants/tenants.ts';
import { ImportCheckpoint, startOfImport } from './import-checkpoint.store.ts';
import {
  connectedCheck,
  putIndex,
  requestActions,
  requestUnlessDisconnected,
} from './import-conditions.store.ts';
import { ImportFailureReport } from './import-report.ts';
import { openImportResumption } from './import-resumption.store.ts';
import { dueAfterRequest, openImportRuns } from './import-runs.store.ts';
import { completeScope, type ImportScope, scopeAfter } from './import-scope.store.ts';
import { ImportStatus, importChange, refusalAfter } from './import-status.store.ts';

/**
 * `reason` says why it failed, what it waits for or what is missing though it is complete, in a
 * code that an operator can look up.
 */
export const Import = z.object({
  kind: z.literal('import'),
  importId: z.string(),
  applicationId: z.string(),
  schemaName: z.string(),
  status: ImportStatus,
  requestedAt: z.string(),
  progressedAt: z._default(z.string(), new Date(0).toISOString()),
  finishedAt: z.nullable(z.string()),
  /** Items written before imports could be resumed have neither this nor those below. */
  checkpoint: z._default(ImportCheckpoint, startOfImport),
  /** What it brings is what was made or changed at the platform since then; all where null. */
  modifiedSince: z._default(z.nullable(z.string()), null),
  /** The failure that ended one of its runs last; what came right afterwards does not clear it. */
  lastFailure: z._default(z.nullable(ImportFailureReport), null),
  /** Runs since something was last recorded, the present one too. */
  runsWithoutProgress: z._default(z.int(), 0),
  reason: z.nullable(z.string()),
  /** The run that has its lease while it is running, or had it last. */
  runId: z._default(z.nullable(z.string()), null),
});
export type Import = z.infer<typeof Import>;

/** What the stream's filter lets through: an import that was just asked for, or goes on. */
export const requestedImportPattern = { kind: 'import', status: 'requested' } as const;

/** Why an import waits whose application is suspended. */
export const suspendedReason = 'application_suspended';

type ImportRequest = { importId: string; requestedAt: string };

/** The item of an import that is asked for, which starts at once. */
const requestedImport = (name: TenantName, request: ImportRequest, scope: ImportScope): Item => {
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

/** The action that asks for a complete import. It takes the place of an earlier one. */
export const importAction = (name: TenantName, request: ImportRequest): Action => ({
  put: requestedImport(name, request, completeScope),
});

const notDue = { due_pk: undefined, due_sk: undefined };

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
   * Asks for a complete import of a tenant that is connected, in the place of an earlier one, under
   * way or not. False where the tenant has no connection; then nothing is changed.
   */
  request: async (name: TenantName, asked: ImportRequest): Promise<boolean> => {
    const put = { put: requestedImport(name, asked, completeScope) };
    return (await table.transact(requestActions(name, put))).committed;
  },

  /**
   * Asks for an import of what is new or changed, unless one is under way or has just ended, or the
   * tenant is not connected; then nothing is changed. It brings everything where the last one did
   * not end well, or left out what the lock of the tenant, at `lockDate` by now, lets in.
   */
  requestChanges: async (
    name: TenantName,
    { lockDate, ...asked }: ImportRequest & { lockDate: string | undefined },
  ): Promise<'requested' | 'under_way' | 'ended_just_now' | 'not_connected'> => {
    for (;;) {
      const before = await findImport(table, name);
      const refusal = before && refusalAfter(before, asked);
      if (refusal) return refusal;
      // An import that has ended is changed by nothing but another that takes its place.
      const put: PutAction = {
        put: requestedImport(
          name,
          asked,
          before ? scopeAfter(before, { ...asked, lockDate }) : completeScope,
        ),
        condition: before ? 'importId = :before' : ifNotExists,
        ...(before && { values: { ':before': before.importId } }),
      };
      const outcome = await table.transact(requestUnlessDisconnected(name, put));
      if (outcome.committed) return 'requested';
      if ([...outcome.failed.keys()].some((index) => index < putIndex)) return 'not_connected';
    }
  },

  /**
   * Lets a requested import wait, due from now on, until its application is resumed. What its
   * tenant shows stays as it is. False where somebody else has leased or replaced the import.
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
   * Ends an import and sets the tenant's status with it: it is complete where the tenant is active
   * then, and `reason` says what is missing even so. False where another import has taken its place
   * or it was ended before; then nothing is changed. So it is where a tenant would be active whose
   * access was given back meanwhile: the next run finds that out. A run that ends its import names
   * itself, and ends nothing if another run has the lease.
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
  ): Promise<boolean> => {
    const { importId, runId, finishedAt, reason, lastFailure, tenantStatus } = end;
    const status = tenantStatus === 'active' ? 'complete' : 'failed';
    const outcome = await table.transact([
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
