// Imports in each of their states on a test table, with all that stands beside them.

import { type Import, type Imports, importAction, openImports } from '#shared/store/imports.ts';
import { dueImportPartition, dueIndex, importKey, type TenantName } from '#shared/store/keys.ts';
import { openTestConnections } from './connections.ts';

/** When an import was asked for; the times of a test are of the same day. */
export const requestedAt = '2026-03-23T09:30:00.000Z';
export const at = (time: string): Date => new Date(`2026-03-23T${time}.000Z`);

type Status = Import['status'];
export const everyStatus: readonly Status[] = [
  'requested',
  'running',
  'waiting',
  'complete',
  'failed',
];

/** Until when a run of `openImportStates` is taken to live, and when one that waits goes on. */
export const leasedUntil = at('09:40:00');
export const waitsUntil = at('10:30:00');

const importId = 'first';

/** Takes a requested import to a state that it can come to. */
const lead = async (imports: Imports, name: TenantName, status: Status): Promise<void> => {
  if (status === 'running' || status === 'waiting') {
    await imports.acquireLease(name, { importId, until: leasedUntil, runsWithoutProgress: 2 });
  }
  if (status === 'waiting') {
    await imports.defer(name, {
      importId,
      until: waitsUntil,
      reason: 'rate_limited',
      runsWithoutProgress: 2,
      tenantStatus: 'importing',
    });
  }
  if (status === 'complete' || status === 'failed') {
    await imports.finish(name, {
      importId,
      finishedAt: at('09:35:00').toISOString(),
      reason: status === 'failed' ? 'gave_up' : null,
      tenantStatus: status === 'failed' ? 'import_failed' : 'active',
    });
  }
};

export const openImportStates = async () => {
  const database = await openTestConnections();
  const imports = openImports(database.table);
  let tenants = 0;

  /** The moments at which the due index has something of this tenant. */
  const duesOf = async (name: TenantName): Promise<string[]> => {
    const items = await database.table.query({
      IndexName: dueIndex,
      KeyConditionExpression: 'due_pk = :imports',
      ExpressionAttributeValues: { ':imports': dueImportPartition },
    });
    return items
      .filter(({ pk }) => pk === importKey(name).pk)
      .map(({ due_sk }) => String(due_sk).split('#')[0] ?? '');
  };

  return {
    ...database,
    imports,
    /** A connected tenant of its own, whose import `first` stands like this. */
    create: async (status: Status): Promise<TenantName> => {
      tenants += 1;
      const name = await database.newTenant(`tenant_${tenants}`);
      await database.table.transact([importAction(name, { importId, requestedAt })]);
      await lead(imports, name, status);
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
