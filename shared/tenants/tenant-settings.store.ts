// Changes the settings of a tenant, and stores the history of its lock.

import * as z from 'zod/mini';
import { journalNumber } from '../entries/journal-entry.ts';
import { scheduledBounds } from '../entries/lists/entry-bounds.store.ts';
import { declaredEvents } from '../events/event-types.ts';
import { updateAction } from '../table/field-updates.ts';
import {
  dateOfPlace,
  entryKeyUnderDate,
  lockChangeKey,
  lockChangePrefix,
  readEntryKey,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import { prefixRange, sortRange } from '../table/sort-ranges.ts';
import { type Action, ifExists, ifNotExists, type Table, transactionOf } from '../table/table.ts';
import type { PeriodLock } from './period-lock.ts';
import { openTenantReader } from './tenant-links.store.ts';
import type { Tenant, TenantChanges } from './tenants.ts';

/** A change of a tenant's lock. `from` is null for the first lock. `keyId` is of the API key. */
export const LockChange = z.object({
  at: z.string(),
  from: z.nullable(z.string()),
  to: z.string(),
  keyId: z.string(),
});
export type LockChange = z.infer<typeof LockChange>;

/** A move of the lock. `changeId` is random and distinguishes moves at one moment. */
export type LockMove = { lock: PeriodLock; at: string; keyId: string; changeId: string };

/** A scheduled entry with its posting date. */
export type DueEntry = { postingDate: string; journalNumber: string };

/** All changes of a tenant's lock, latest first. */
export const listLockChanges = async (table: Table, name: TenantName): Promise<LockChange[]> => {
  const items = await table.query({
    ...prefixRange(tenantKey(name).pk, lockChangePrefix),
    ScanIndexForward: false,
  });
  return items.map((item) => LockChange.parse(item));
};

export type TenantSettings = ReturnType<typeof openTenantSettings>;

export const openTenantSettings = (table: Table) => ({
  find: openTenantReader(table).find,

  /** The first scheduled entry with a posting date on or before a date. */
  findScheduledUntil: async (name: TenantName, date: string): Promise<DueEntry | undefined> => {
    const bounds = scheduledBounds(name, { to: date, order: 'asc' });
    const { items } = await table.queryPage({
      ...sortRange(tenantKey(name).pk, bounds),
      Limit: 1,
    });
    const [item] = items;
    if (item === undefined) return undefined;
    const marker = { pk: String(item.pk), sk: String(item.sk) };
    return {
      postingDate: dateOfPlace(marker),
      journalNumber: journalNumber(readEntryKey(entryKeyUnderDate(marker))),
    };
  },

  /**
   * Changes fields of a tenant. A move of the lock and its history are one transaction, which
   * requires that the lock has not changed since `tenant` was read.
   * @returns false if the lock has changed, or after contention
   */
  change: async (
    name: TenantName,
    { tenant, changes, move }: { tenant: Tenant; changes: TenantChanges; move?: LockMove },
  ): Promise<boolean> => {
    const key = tenantKey(name);
    if (move === undefined) {
      const set = { ...changes, ...declaredEvents('tenant.updated') };
      return table.update(updateAction(key, { set, condition: ifExists }));
    }
    const isUpdated = Object.keys(changes).length > 0;
    const { lock, at, keyId, changeId } = move;
    const { lockDate, lockedFrom } = tenant;
    const change: LockChange = { at, from: lockDate ?? null, to: lock.lockDate, keyId };
    const actions: Action[] = [
      updateAction(key, {
        set: {
          ...changes,
          ...lock,
          ...declaredEvents('tenant.locked', ...(isUpdated ? (['tenant.updated'] as const) : [])),
        },
        expected: { lockDate, lockedFrom },
        condition: ifExists,
      }),
      { put: { ...lockChangeKey(name, { at, changeId }), ...change }, condition: ifNotExists },
    ];
    return (await table.tryTransact(transactionOf(actions)))?.committed === true;
  },
});
