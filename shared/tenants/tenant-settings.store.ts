// What callers change of a tenant, and the history of its lock: who moved it, when, from where.

import * as z from 'zod/mini';
import { journalNumber } from '../entries/journal-entry.ts';
import { scheduledBounds } from '../entries/lists/entry-bounds.store.ts';
import { settingOf } from '../table/field-updates.ts';
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
import { type Action, ifNotExists, type Table, transactionOf } from '../table/table.ts';
import type { PeriodLock } from './period-lock.ts';
import type { TenantChanges } from './tenant-rules.ts';
import { Tenant } from './tenants.ts';

/** A change of a tenant's lock. `from` is null where there was none; `keyId` is the API key's. */
export const LockChange = z.object({
  at: z.string(),
  from: z.nullable(z.string()),
  to: z.string(),
  keyId: z.string(),
});
export type LockChange = z.infer<typeof LockChange>;

/** A lock that is moved, by the key that does it; `changeId` tells two of one moment apart. */
export type LockMove = { lock: PeriodLock; at: string; keyId: string; changeId: string };

/** A scheduled entry, by the date on which it is to count. */
export type DueEntry = { postingDate: string; journalNumber: string };

/** Every change of a tenant's lock, the latest first. */
export const listLockChanges = async (table: Table, name: TenantName): Promise<LockChange[]> => {
  const items = await table.query({
    ...prefixRange(tenantKey(name).pk, lockChangePrefix),
    ScanIndexForward: false,
  });
  return items.map((item) => LockChange.parse(item));
};

export type TenantSettings = ReturnType<typeof openTenantSettings>;

export const openTenantSettings = (table: Table) => ({
  find: async (name: TenantName): Promise<Tenant | undefined> => {
    const item = await table.get(tenantKey(name));
    return item && Tenant.parse(item);
  },

  /** The first of the scheduled entries that are to count on or before a date, if there are any. */
  findScheduledUntil: async (name: TenantName, date: string): Promise<DueEntry | undefined> => {
    const bounds = scheduledBounds(name, { to: date, order: 'asc' });
    const { items } = await table.queryPage({
      ...sortRange(tenantKey(name).pk, bounds),
      Limit: 1,
    });
    const [found] = items;
    if (found === undefined) return undefined;
    const marker = { pk: String(found.pk), sk: String(found.sk) };
    return {
      postingDate: dateOfPlace(marker),
      journalNumber: journalNumber(readEntryKey(entryKeyUnderDate(marker))),
    };
  },

  /**
   * Changes fields of a tenant and no others. A lock that is moved is written with its history, in
   * one transaction, if it is where `tenant` has it. False where it is not any more, or where
   * contention stood in the way: then nothing is changed.
   */
  change: async (
    name: TenantName,
    { tenant, changes, move }: { tenant: Tenant; changes: TenantChanges; move?: LockMove },
  ): Promise<boolean> => {
    const update = tenantKey(name);
    if (move === undefined) {
      return table.update({ update, ...settingOf(changes), condition: 'attribute_exists(pk)' });
    }
    const { lock, at, keyId, changeId } = move;
    const { values, ...setting } = settingOf({ ...changes, ...lock });
    const { lockDate: from, lockedFrom: since } = tenant;
    const unmoved =
      from === undefined
        ? { condition: 'attribute_exists(pk) AND attribute_not_exists(lockDate)', values }
        : {
            condition: 'lockDate = :from AND lockedFrom = :since',
            values: { ...values, ':from': from, ':since': since },
          };
    const change: LockChange = { at, from: from ?? null, to: lock.lockDate, keyId };
    const actions: Action[] = [
      { update, ...setting, ...unmoved },
      { put: { ...lockChangeKey(name, { at, changeId }), ...change }, condition: ifNotExists },
    ];
    return (await table.tryTransact(transactionOf(actions)))?.committed === true;
  },
});
