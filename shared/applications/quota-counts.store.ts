// The counts for quotas. A count changes in the same transaction as the counted items, so
// concurrent requests cannot exceed a quota.

import * as z from 'zod/mini';
import { updateAction } from '../table/field-updates.ts';
import {
  accountCountKey,
  accountPrefix,
  type Key,
  type TenantName,
  tenantCountKey,
  tenantCountSort,
  tenantKey,
  tenantNameOf,
  tenantSort,
} from '../table/keys.ts';
import type { MigrationStep } from '../table/migration-step.ts';
import { countItems } from '../table/pages.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import type { Item, PutAction, Table, UpdateAction } from '../table/table.ts';

const AccountCount = z.object({ accounts: z.int() });
const TenantCount = z.object({ tenants: z.int() });

/** The number of a tenant's accounts. `undefined` if they have never been counted. */
export const accountsIn = (item: Item | undefined): number | undefined =>
  item && AccountCount.parse(item).accounts;

/** The number of an application's tenants. Without an item it is zero. */
export const tenantsIn = (item: Item | undefined): number =>
  item === undefined ? 0 : TenantCount.parse(item).tenants;

/** Sets the count of a new tenant, in the transaction that writes its accounts. */
export const accountCountAction = (name: TenantName, accounts: number): PutAction => ({
  put: { ...accountCountKey(name), accounts },
});

/** Adds accounts to the count. Fails if the tenant has no count or the quota is reached. */
export const addAccountsAction = (
  name: TenantName,
  { added, maximum }: { added: number; maximum: number },
): UpdateAction => ({
  update: accountCountKey(name),
  expression: 'ADD accounts :added',
  condition: 'accounts <= :most',
  values: { ':added': added, ':most': maximum - added },
});

/** Adds a tenant to the count. Fails if the quota is reached. */
export const addTenantAction = (
  applicationId: string,
  { maximum }: { maximum: number },
): UpdateAction => ({
  update: tenantCountKey(applicationId),
  expression: 'ADD tenants :one',
  condition: 'attribute_not_exists(tenants) OR tenants < :maximum',
  values: { ':one': 1, ':maximum': maximum },
});

/** Counts a tenant's accounts. Costs as much as reading them. */
export const countAccounts = (table: Pick<Table, 'queryPage'>, name: TenantName): Promise<number> =>
  countItems(table, prefixRange(tenantKey(name).pk, accountPrefix));

/**
 * Writes the first count of a tenant older than the quota. The count is still correct when it is
 * written, because accounts cannot be added to a tenant without a count.
 */
export const beginAccountCount = async (
  table: Pick<Table, 'queryPage' | 'update'>,
  name: TenantName,
): Promise<number> => {
  const accounts = await countAccounts(table, name);
  await table.update(
    updateAction(accountCountKey(name), { set: { accounts }, expected: { accounts: undefined } }),
  );
  return accounts;
};

/**
 * Writes the first counts of applications older than the quota. Includes tenants that were counted
 * before the migration. A tenant created during the migration may be missing. A tenant's accounts
 * are counted when its next account is added.
 */
export const countTenants: MigrationStep = {
  name: 'counts of tenants',
  start: () => {
    const counted = new Map<string, number>();
    const recorded = new Map<string, number>();
    return {
      convert: (item) => {
        const { pk, sk } = item as Key;
        const tenant = sk === tenantSort ? tenantNameOf({ pk }) : undefined;
        if (tenant === undefined) {
          const count = TenantCount.safeParse(item).data;
          if (count) recorded.set(pk, count.tenants);
          return [];
        }
        const key = tenantCountKey(tenant.applicationId);
        counted.set(key.pk, (counted.get(key.pk) ?? 0) + 1);
        return [];
      },
      finish: () =>
        [...counted]
          .filter(([pk, tenants]) => (recorded.get(pk) ?? 0) < tenants)
          .map(([pk, tenants]) => [
            updateAction(
              { pk, sk: tenantCountSort },
              {
                set: { tenants },
                condition: 'attribute_not_exists(#tenants) OR #tenants < :tenants',
              },
            ),
          ]),
    };
  },
};
