// A run's changes to its import. Each change requires that the run still has the lease, so a late
// write of an old run changes nothing.

import { dueImportKey } from '../table/due-keys.ts';
import type { TenantName } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { statusAction } from '../tenants/tenant-status.store.ts';
import type { ImportCheckpoint } from './import-checkpoint.ts';
import type { ImportFailureReport } from './import-report.ts';
import type { ImportScope } from './import-scope.store.ts';
import { importChange } from './import-status.store.ts';
import { leaseMilliseconds, startTimeoutMilliseconds } from './import-timing.ts';

/** The reason of an import that waits for the turns of other imports. */
export const gaveWayReason = 'other_imports';

/** A run's lease on an import. */
type Lease = { importId: string; runId: string };

const dueAfter = (name: TenantName, milliseconds: number, now: Date) =>
  dueImportKey(name, {
    dueAt: new Date(now.getTime() + milliseconds).toISOString(),
    setAt: now.toISOString(),
  });

/** The due time of an import that is leased now. */
const dueAfterLease = (name: TenantName, now: Date) => dueAfter(name, leaseMilliseconds, now);

/** The due time of an import that is requested now. */
export const dueAfterRequest = (name: TenantName, now: Date) =>
  dueAfter(name, startTimeoutMilliseconds, now);

/** Each method returns false and changes nothing if another run or import has replaced this one. */
export const openImportRuns = (table: Table) => ({
  /** Leases a requested import to a run for a minute. The run can extend the lease. */
  acquireLease: (
    name: TenantName,
    {
      now,
      runsWithoutProgress,
      importId,
      runId,
    }: Lease & { now: Date; runsWithoutProgress: number },
  ): Promise<boolean> =>
    table.update(
      importChange(name, {
        importId,
        from: ['requested'],
        set: {
          status: 'running',
          reason: null,
          runId,
          runsWithoutProgress,
          ...dueAfterLease(name, now),
        },
      }),
    ),

  /** Extends the lease to a minute from now. */
  renewLease: (name: TenantName, { now, ...lease }: Lease & { now: Date }): Promise<boolean> =>
    table.update(
      importChange(name, { ...lease, from: ['running'], set: dueAfterLease(name, now) }),
    ),

  /** Saves the checkpoint, and extends the lease if `renewsLease`. */
  saveCheckpoint: (
    name: TenantName,
    {
      checkpoint,
      now,
      renewsLease,
      ...lease
    }: Lease & { checkpoint: ImportCheckpoint; now: Date; renewsLease: boolean },
  ): Promise<boolean> =>
    table.update(
      importChange(name, {
        ...lease,
        from: ['running'],
        set: {
          checkpoint,
          progressedAt: now.toISOString(),
          runsWithoutProgress: 0,
          ...(renewsLease && dueAfterLease(name, now)),
        },
      }),
    ),

  /** Changes the page sizes or the scope of the import. This does not count as progress. */
  adjust: (
    name: TenantName,
    { importId, runId, checkpoint, modifiedSince }: Lease & ImportScope,
  ): Promise<boolean> => {
    const set = { checkpoint, modifiedSince };
    return table.update(importChange(name, { importId, runId, from: ['running'], set }));
  },

  /** Ends a run whose time is up. Another run continues the import immediately. */
  release: (name: TenantName, { now, ...lease }: Lease & { now: Date }): Promise<boolean> =>
    table.update(
      importChange(name, {
        ...lease,
        from: ['running'],
        set: { status: 'requested', ...dueAfterRequest(name, now) },
      }),
    ),

  /** Ends a run that gives way to other imports. resume-imports continues it in its turn. */
  giveWay: (name: TenantName, { now, ...lease }: Lease & { now: Date }): Promise<boolean> =>
    table.update(
      importChange(name, {
        ...lease,
        from: ['running'],
        set: { status: 'waiting', reason: gaveWayReason, ...dueAfter(name, 0, now) },
      }),
    ),

  /** Pauses the import until a time. The tenant stays `importing` and shows the reason. */
  defer: async (
    name: TenantName,
    {
      importId,
      runId,
      now,
      until,
      reason,
      lastFailure,
      runsWithoutProgress,
    }: Lease & {
      now: Date;
      until: Date;
      reason: string;
      lastFailure?: ImportFailureReport;
      runsWithoutProgress: number;
    },
  ): Promise<boolean> => {
    const due = { dueAt: until.toISOString(), setAt: now.toISOString() };
    const outcome = await table.transact([
      importChange(name, {
        importId,
        runId,
        from: ['running'],
        set: {
          status: 'waiting',
          reason,
          ...(lastFailure && { lastFailure }),
          runsWithoutProgress,
          ...dueImportKey(name, due),
        },
      }),
      statusAction(name, { status: 'importing', reason }),
    ]);
    return outcome.committed;
  },
});
