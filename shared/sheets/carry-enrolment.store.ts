// The item of a tenant that makes its totals be carried forward.

import { dateOf, firstDate } from '../money/dates.ts';
import { carriedKey } from '../table/carried-keys.ts';
import { dueCarryKey } from '../table/due-keys.ts';
import { updateAction } from '../table/field-updates.ts';
import { type Key, type TenantName, tenantNameOf, tenantSort } from '../table/keys.ts';
import type { MigrationStep } from '../table/migration-step.ts';
import type { Action } from '../table/table.ts';

/** Creates the item of a new tenant. */
export const enrolAction = (name: TenantName, now: Date): Action => ({
  put: { ...carriedKey(name), ...dueCarryKey(name, dateOf(now)) },
});

/** Enrols the tenants of the stored format 4, whose totals were not carried. */
export const enrolTenants: MigrationStep = {
  name: 'totals carried forward',
  start: () => {
    const tenants = new Map<string, TenantName>();
    const enrolled = new Set<string>();
    return {
      convert: (item) => {
        const { pk, sk } = item as Key;
        const name = tenantNameOf({ pk });
        if (name !== undefined && sk === tenantSort) tenants.set(pk, name);
        if (name !== undefined && sk === carriedKey(name).sk) enrolled.add(pk);
        return [];
      },
      finish: () =>
        [...tenants]
          .filter(([pk]) => !enrolled.has(pk))
          .map(([, name]) => {
            // Before all other dates: the tenant is due at once.
            const { due_pk, due_sk } = dueCarryKey(name, firstDate);
            return [updateAction(carriedKey(name), { initial: { due_pk, due_sk } })];
          }),
    };
  },
};
