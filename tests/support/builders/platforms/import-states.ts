// Imports in each of their states on a test table, with their tenants and connections.

import type { Import } from '#shared/imports/import-record.store.ts';
import { type Imports, openImports, requestImportAction } from '#shared/imports/imports.store.ts';
import { dueImportPartition, dueTimeOf } from '#shared/table/due-keys.ts';
import { importKey, type TenantName } from '#shared/table/keys.ts';
import { openTestConnections } from './connections.ts';

/** When an import was asked for; the times of a test are of the same day. */
const requestedAt = '2026-03-23T09:30:00.000Z';
export const at = (time: string): Date => new Date(`2026-03-23T${time}.000Z`);

type Status = Import['status'];
export const everyStatus: readonly Status[] = [
  'requested',
  'running',
  'waiting',
  'complete',
  'failed',
];

/** A run leases its import a minute before 09:40. A waiting import continues at 10:30. */
const leasedAt = at('09:39:00');
const waitsUntil = at('10:30:00');

/** The import, and the run that leases it. */
const importId = 'first';
export const lease = { importId, runId: 'run of first' };

/** Takes a requested import to another status. */
const bringTo = async (imports: Imports, name: TenantName, status: Status): Promise<void> => {
  if (status === 'running' || status === 'waiting') {
    await imports.acquireLease(name, { ...lease, now: leasedAt, runsWithoutProgress: 2 });
  }
  if (status === 'waiting') {
    await imports.defer(name, {
      ...lease,
      now: leasedAt,
      until: waitsUntil,
      reason: 'rate_limited',
      runsWithoutProgress: 2,
    });
  }
  const finishedAt = at('09:35:00').toISOString();
  const complete = { importId, finishedAt, reason: null, tenantStatus: 'active' } as const;
  const failed = { ...complete, reason: 'gave_up', tenantStatus: 'import_failed' } as const;
  if (status === 'complete' || status === 'failed') {
    await imports.finish(name, status === 'failed' ? failed : complete);
  }
};

export const openImportStates = async () => {
  const database = await openTestConnections();
  // Only the moments that a test gives count.
  const imports = openImports(database.table, { clock: () => new Date(0) });
  let tenants = 0;

  /** The moment under which the due index has the import, if it has. */
  const duesOf = async (name: TenantName): Promise<string[]> => {
    const { due_pk, due_sk } = (await database.table.get(importKey(name))) ?? {};
    return due_pk === dueImportPartition ? [dueTimeOf(String(due_sk))] : [];
  };

  return {
    ...database,
    imports,
    /** A new connected tenant, whose import `first` has this status. */
    create: async (status: Status): Promise<TenantName> => {
      tenants += 1;
      const name = await database.newTenant(`tenant_${tenants}`);
      await database.table.transact([requestImportAction(name, { importId, requestedAt })]);
      await bringTo(imports, name, status);
      return name;
    },
    duesOf,
    /** The import, its place in the due index, and its tenant's status. */
    look: async (name: TenantName) => ({
      state: await imports.find(name),
      due: await duesOf(name),
      tenant: await database.statusOf(name),
    }),
  };
};
