// Changes the settings of a tenant, and stores the history of its lock.

import type { ChartState } from '../applications/quota-counts.store.ts';
import { journalNumber } from '../entries/journal-entry.ts';
import { markerBounds } from '../entries/lists/entry-bounds.store.ts';
import { declaredEvents } from '../events/event-types.ts';
import {
  type OpenedState,
  openTenantHistory,
  settingsChangeActions,
} from '../history/tenant-history.store.ts';
import {
  Change,
  differenceOf,
  LockChange,
  type NewChange,
  shownFieldsOf,
} from '../history/tenant-history.ts';
import { updateAction } from '../table/field-updates.ts';
import { historyPrefix } from '../table/history-keys.ts';
import {
  dateOfPlace,
  keyOfItem,
  lockChangePrefix,
  readEntryKey,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import { entryKeyUnderDate } from '../table/list-keys.ts';
import { prefixRange, sortRange } from '../table/sort-ranges.ts';
import { type Action, ifExists, type Table, transactionOf } from '../table/table.ts';
import type { PeriodLock } from './period-lock.ts';
import { type SettingChanges, settingsOf, type Tenant } from './tenants.ts';

/** A scheduled entry with its posting date. */
export type DueEntry = { postingDate: string; journalNumber: string };

/** The change of the lock in a change of settings, if there is one. */
const lockChangeOf = ({ at, what, actorId, before, after }: Change): LockChange[] =>
  what === 'settings_updated' && typeof after.lock_date === 'string'
    ? [
        LockChange.parse({
          at,
          from: before.lock_date ?? null,
          to: after.lock_date,
          keyId: actorId ?? '',
        }),
      ]
    : [];

/** All changes of a tenant's lock, latest first. Earlier versions stored them apart. */
export const listLockChanges = async (
  table: Pick<Table, 'query'>,
  name: TenantName,
): Promise<LockChange[]> => {
  const [earlier, changes] = await Promise.all([
    table.query(prefixRange(tenantKey(name).pk, lockChangePrefix)),
    table.query(prefixRange(tenantKey(name).pk, historyPrefix)),
  ]);
  return [
    ...earlier.map((item) => LockChange.parse(item)),
    ...changes.flatMap((item) => lockChangeOf(Change.parse(item))),
  ].reverse();
};

/** A tenant with the state of its chart, which has the end of its history. */
type TenantWithState = { tenant: Tenant; state: ChartState };

/** Settings and a lock to change. */
type Changes = Omit<SettingChanges, 'lockDate'> & Partial<PeriodLock>;

const eventsOf = ({ lockDate, lockedFrom: _, ...others }: Changes) => [
  ...(lockDate === undefined ? [] : (['tenant.locked'] as const)),
  ...(Object.keys(others).length === 0 ? [] : (['tenant.updated'] as const)),
];

export type TenantSettings = ReturnType<typeof openTenantSettings>;

export const openTenantSettings = (table: Table) => {
  const history = openTenantHistory(table);
  return {
    find: async (name: TenantName): Promise<TenantWithState | undefined> => {
      const { tenant, state } = await history.readTenant(name);
      return tenant && { tenant, state };
    },

    /** The state of the chart with its history, which begins now if the tenant has none. */
    opened: history.opened,

    /** The first scheduled entry with a posting date on or before a date. */
    findScheduledUntil: async (name: TenantName, date: string): Promise<DueEntry | undefined> => {
      const bounds = markerBounds(name, 'scheduled', { to: date, order: 'asc' });
      const { items } = await table.queryPage({
        ...sortRange(tenantKey(name).pk, bounds),
        Limit: 1,
      });
      const [item] = items;
      if (item === undefined) return undefined;
      const marker = keyOfItem(item);
      return {
        postingDate: dateOfPlace(marker),
        journalNumber: journalNumber(readEntryKey(entryKeyUnderDate(marker))),
      };
    },

    /**
     * Changes settings of a tenant, and its lock, if neither its lock nor its history has changed
     * since both were read.
     * @returns false if one has changed, or after contention
     */
    change: async (
      name: TenantName,
      {
        tenant,
        changes,
        state,
        by,
      }: {
        tenant: Tenant;
        changes: Changes;
        state: OpenedState;
        by: Pick<NewChange, 'at' | 'actor' | 'actorId'>;
      },
    ): Promise<boolean> => {
      const { lockDate, lockedFrom } = tenant;
      const [before, after] = [tenant, { ...tenant, ...changes }].map(settingsOf);
      const actions: Action[] = [
        updateAction(tenantKey(name), {
          set: { ...changes, ...declaredEvents(...eventsOf(changes)) },
          expected: { lockDate, lockedFrom },
          condition: ifExists,
        }),
        ...settingsChangeActions(name, state, {
          ...by,
          what: 'settings_updated',
          subject: null,
          ...differenceOf(shownFieldsOf({ ...before }), shownFieldsOf({ ...after })),
        }),
      ];
      return (await table.tryTransact(transactionOf(actions)))?.committed === true;
    },
  };
};
