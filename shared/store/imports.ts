// Imports of a platform's data into a tenant. The table's stream starts one that is requested; it
// runs for as long as a function may, saves its checkpoint, and is taken up again from there. What
// has not ended is in the due index, under the moment at which somebody must look at it.

import * as z from 'zod/mini';
import { ImportFailureReport } from '../domain/import-report.ts';
import type { TenantStatus } from '../domain/tenants.ts';
import { ImportCheckpoint, startOfImport } from './import-checkpoint.ts';
import {
  connectedCheck,
  putIndex,
  requestActions,
  requestUnlessDisconnected,
} from './import-conditions.ts';
import { completeScope, type ImportScope, scopeAfter } from './import-scope.ts';
import { ImportStatus, importChange, refusalAfter } from './import-status.ts';
import { dueImportKey, dueImportPartition, dueUntil, importKey, type TenantName } from './keys.ts';
import { type Action, type Item, ifNotExists, type PutAction, type Table } from './table.ts';
import { statusAction } from './tenant-status.ts';

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
});
export type Import = z.infer<typeof Import>;

/** What the stream's filter lets through: an import that was just asked for, or goes on. */
export const requestedImportPattern = { kind: 'import', status: 'requested' } as const;

/** Why an import waits whose application is suspended. */
export const suspendedReason = 'application_suspended';

/** How long the stream may take to start what is requested, before it is asked for again. */
const startTimeoutMilliseconds = 10 * 60_000;

const later = (moment: string, milliseconds: number): string =>
  new Date(Date.parse(moment) + milliseconds).toISOString();

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
  };
  const due = dueImportKey(name, later(request.requestedAt, startTimeoutMilliseconds));
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

export const openImports = (table: Table) => ({
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
          before ? scopeAfter(before, { lockDate }) : completeScope,
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
   * Leases a requested import to a run until a moment, at which the run is taken to have died.
   * False where somebody else has leased it, or another import has taken its place.
   */
  acquireLease: (
    name: TenantName,
    {
      importId,
      until,
      runsWithoutProgress,
    }: { importId: string; until: Date; runsWithoutProgress: number },
  ): Promise<boolean> =>
    table.update(
      importChange(name, {
        importId,
        from: ['requested'],
        set: {
          status: 'running',
          reason: null,
          runsWithoutProgress,
          ...dueImportKey(name, until.toISOString()),
        },
      }),
    ),

  /** Saves the checkpoint of a running import. False where another import has taken its place. */
  saveCheckpoint: (
    name: TenantName,
    { importId, checkpoint, now }: { importId: string; checkpoint: ImportCheckpoint; now: Date },
  ): Promise<boolean> =>
    table.update(
      importChange(name, {
        importId,
        from: ['running'],
        set: { checkpoint, progressedAt: now.toISOString(), runsWithoutProgress: 0 },
      }),
    ),

  /**
   * Lets a running import go on in another way, without any progress: with smaller pages, or as a
   * complete one. False where another import has taken its place.
   */
  adjust: (
    name: TenantName,
    { importId, ...scope }: { importId: string } & ImportScope,
  ): Promise<boolean> =>
    table.update(importChange(name, { importId, from: ['running'], set: scope })),

  /** Lets a running import go on at once, in another run: its time is up. */
  release: (
    name: TenantName,
    { importId, now }: { importId: string; now: Date },
  ): Promise<boolean> =>
    table.update(
      importChange(name, {
        importId,
        from: ['running'],
        set: {
          status: 'requested',
          ...dueImportKey(name, later(now.toISOString(), startTimeoutMilliseconds)),
        },
      }),
    ),

  /** Puts a running import off until a moment. Its tenant goes on importing, and says why. */
  defer: async (
    name: TenantName,
    asked: {
      importId: string;
      until: Date;
      reason: string;
      lastFailure?: ImportFailureReport;
      runsWithoutProgress: number;
    },
  ): Promise<boolean> => {
    const { importId, until, reason, lastFailure, runsWithoutProgress } = asked;
    const outcome = await table.transact([
      importChange(name, {
        importId,
        from: ['running'],
        set: {
          status: 'waiting',
          reason,
          ...(lastFailure && { lastFailure }),
          runsWithoutProgress,
          ...dueImportKey(name, until.toISOString()),
        },
      }),
      statusAction(name, { status: 'importing', reason }),
    ]);
    return outcome.committed;
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
          ...dueImportKey(name, now.toISOString()),
        },
      }),
    ),

  /**
   * Ends an import and sets the tenant's status with it: it is complete where the tenant is active
   * then, and `reason` says what is missing even so. False where another import has taken its place
   * or it was ended before; then nothing is changed. So it is where a tenant would be active whose
   * access was given back meanwhile: the next run finds that out.
   */
  finish: async (
    name: TenantName,
    end: {
      importId: string;
      finishedAt: string;
      reason: string | null;
      lastFailure?: ImportFailureReport;
      tenantStatus: TenantStatus;
    },
  ): Promise<boolean> => {
    const { importId, finishedAt, reason, lastFailure, tenantStatus } = end;
    const status = tenantStatus === 'active' ? 'complete' : 'failed';
    const outcome = await table.transact([
      importChange(name, {
        importId,
        from: ['requested', 'running', 'waiting'],
        set: { status, finishedAt, reason, ...(lastFailure && { lastFailure }), ...notDue },
      }),
      statusAction(name, { status: tenantStatus, reason }),
      ...(status === 'complete' ? [connectedCheck(name)] : []),
    ]);
    return outcome.committed;
  },

  /** Asks for a due import to go on from its checkpoint. False where it is not due any more. */
  resume: (name: TenantName, now: Date): Promise<boolean> =>
    table.update({
      update: importKey(name),
      expression: 'SET #status = :requested, due_sk = :next REMOVE stuck',
      condition: 'due_pk = :partition AND due_sk < :until',
      names: { '#status': 'status' },
      values: {
        ':requested': 'requested',
        ':next': dueImportKey(name, later(now.toISOString(), startTimeoutMilliseconds)).due_sk,
        ':partition': dueImportPartition,
        ':until': dueUntil(now.toISOString()),
      },
    }),
});
