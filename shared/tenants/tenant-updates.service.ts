// Changes a tenant's settings: its name, cash-flow method, fiscal year and locked period.

import { isDeepStrictEqual } from 'node:util';
import { problemsOfNoChange } from '../changes.ts';
import { ApiError, type Problem, problem, tenantNotFound, throwIfProblems } from '../errors.ts';
import { byKey } from '../history/tenant-history.ts';
import { dateOf } from '../money/dates.ts';
import type { TenantName } from '../table/keys.ts';
import { retryOnContention } from '../table/retry.ts';
import { changedIndexedKeys } from './indexed-metadata.ts';
import { isLockForward, lockDelaySeconds, lockMovedTo } from './period-lock.ts';
import type { TenantSettings } from './tenant-settings.store.ts';
import {
  changeableTenantFields,
  problemsOfTenantChanges,
  type SettingChanges,
  type Tenant,
  type TenantChanges,
} from './tenants.ts';

export type TenantUpdates = ReturnType<typeof openTenantUpdates>;

export const openTenantUpdates = ({
  settings,
  clock,
}: {
  settings: TenantSettings;
  clock: () => Date;
}) => {
  const problemsOf = (changes: TenantChanges, tenant: Tenant | undefined): Problem[] =>
    problemsOfTenantChanges(changes, { today: dateOf(clock()), platform: tenant?.platform });

  /**
   * Refuses to lock a period that has scheduled entries. An entry scheduled in the meantime cannot
   * fall into it: entries are scheduled for future dates, and only past dates can be locked.
   * @throws ApiError `scheduled_entries_due`
   */
  const refuseDueEntries = async (name: TenantName, lockDate: string): Promise<void> => {
    const due = await settings.findScheduledUntil(name, lockDate);
    if (due === undefined) return;
    const { postingDate, journalNumber } = due;
    const params = { posting_date: postingDate, journal_number: journalNumber };
    throw new ApiError('scheduled_entries_due', {
      details: [problem('scheduled_entries_due', '/lock_date', params)],
    });
  };

  return {
    /** Writes the changed settings, if any, and returns the tenant. */
    update: (
      name: TenantName,
      { changes, keyId }: { changes: TenantChanges; keyId: string },
    ): Promise<Tenant> =>
      retryOnContention(async () => {
        const found = await settings.find(name);
        if (found === undefined) throw new ApiError('tenant_not_found');
        const { tenant, state } = found;
        throwIfProblems([
          ...problemsOfNoChange(changes, changeableTenantFields),
          ...problemsOf(changes, tenant),
        ]);
        const now = clock();
        const { lockDate, ...others } = differing(withIndex(changes, { tenant, now }), tenant);
        if (lockDate !== undefined && isLockForward(lockDate, tenant)) {
          await refuseDueEntries(name, lockDate);
        }
        const lock = lockDate === undefined ? {} : lockMovedTo(lockDate, { tenant, now });
        const all = { ...others, ...lock };
        if (Object.keys(all).length === 0) return tenant;
        const opened = await settings.opened(name, state);
        // The tenant was read before its history began, so it may have changed.
        if (opened.changes !== state.changes) return undefined;
        const by = { ...byKey(keyId), at: now.toISOString() };
        const change = { tenant, changes: all, state: opened, by };
        return (await settings.change(name, change)) ? { ...tenant, ...all } : undefined;
      }),

    /** @param options.changesInBody the changes in the request, including unreadable ones */
    problemsOfUpdate: async (
      name: TenantName | undefined,
      { changes, changesInBody }: { changes: TenantChanges; changesInBody: object },
    ): Promise<Problem[]> => {
      const found = name && (await settings.find(name));
      return [
        ...(name !== undefined && found === undefined ? [tenantNotFound] : []),
        ...problemsOfNoChange(changesInBody, changeableTenantFields),
        ...problemsOf(changes, found?.tenant),
      ];
    },
  };
};

/** Posts in progress lack new keys, so they are indexed from a later time. */
const withIndex = (
  { indexedKeys, ...changes }: TenantChanges,
  { tenant, now }: { tenant: Tenant; now: Date },
): SettingChanges => {
  if (indexedKeys === undefined) return changes;
  const from = new Date(now.getTime() + lockDelaySeconds * 1000).toISOString();
  const { indexedMetadata } = tenant;
  return {
    ...changes,
    indexedMetadata: changedIndexedKeys(indexedKeys, { from, indexedMetadata }),
  };
};

/** The changes that differ from the tenant's current settings. */
const differing = (changes: SettingChanges, tenant: Tenant): SettingChanges => {
  const current = { indexedMetadata: [], ...tenant };
  return Object.fromEntries(
    Object.entries(changes).filter(
      ([field, value]) => !isDeepStrictEqual(current[field as keyof Tenant], value),
    ),
  );
};
