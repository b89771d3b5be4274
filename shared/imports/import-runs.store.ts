// What a run does to its import. A run needs the import's lease, which names the run: whatever it
// writes holds only while no other run has taken the lease, however late the write arrives.

import { dueImportKey } from '../table/due-keys.ts';
import type { TenantName } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { statusAction } from '../tenants/tenant-status.store.ts';
import type { ImportCheckpoint } from './import-checkpoint.store.ts';
import type { ImportFailureReport } from './import-report.ts';
import type { ImportScope } from './import-scope.store.ts';
import { importChange } from './import-status.store.ts';
import { leaseMilliseconds, startTimeoutMilliseconds } from './import-timing.ts';

/** The lease that a run has on an import. */
export type Lease = { importId: string; runId: string };

const dueAfter = (name: TenantName, milliseconds: number, now: Date) =>
  dueImportKey(name, {
    dueAt: new Date(now.getTime() + milliseconds).toISOString(),
    setAt: now.toISOString(),
  });

/** The place in the due index of an import that is leased from now on. */
const dueAfterLease = (name: TenantName, now: Date) => dueAfter(name, leaseMilliseconds, now);

/** The place in the due index of an import whose start is requested now. */
export const dueAfterRequest = (name: TenantName, now: Date) =>
  dueAfter(name, startTimeoutMilliseconds, now);

/** Each returns false, and changes nothing, if another run or import has taken the place. */
export const openImportRuns = (table: Table) => ({
  /** Leases a requested import to a run for a minute, unless the run renews the lease. */
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

  /** Lets the lease last for a minute from now on. */
  renewLease: (name: TenantName, { now, ...lease }: Lease & { now: Date }): Promise<boolean> =>
    table.update(
      importChange(name, { ...lease, from: ['running'], set: dueAfterLease(name, now) }),
    ),

  /** Saves the checkpoint, and renews the lease with it if that is wanted. */
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

  /**
   * Lets the import go on in another way, without any progress: with smaller pages, or as a
   * complete one.
   */
  adjust: (
    name: TenantName,
    { importId, runId, checkpoint, modifiedSince }: Lease & ImportScope,
  ): Promise<boolean> => {
    const set = { checkpoint, modifiedSince };
    return table.update(importChange(name, { importId, runId, from: ['running'], set }));
  },

  /** Lets the import go on at once, in another run: the time of this one is up. */
  release: (name: TenantName, { now, ...lease }: Lease & { now: Date }): Promise<boolean> =>
    table.update(
      importChange(name, {
        ...lease,
        from: ['running'],
        set: { status: 'requested', ...dueAfterRequest(name, now) },
      }),
    ),

  /** Puts the import off until a moment. Its tenant goes on importing, and says why. */
  defer: async (
    name: TenantName,
    asked: Lease & {
      now: Date;
      until: Date;
      reason: string;
      lastFailure?: ImportFailureReport;
      runsWithoutProgress: number;
    },
  ): Promise<boolean> => {
    const { importId, runId, now, until, reason, lastFailure, runsWithoutProgress } = asked;
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
