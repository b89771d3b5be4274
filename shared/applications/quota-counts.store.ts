// What quotas limit is counted where it is added, in the same transaction, so that no two requests
// can take the last place together.

import * as z from 'zod/mini';
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

/** How many accounts a tenant has; `undefined` if nobody has counted them yet. */
export const accountsIn = (item: Item | undefined): number | undefined =>
  item && AccountCount.parse(item).accounts;

/** How many tenants an application has; they are counted from zero. */
export const tenantsIn = (item: Item | undefined): number =>
  item === undefined ? 0 : TenantCount.parse(item).tenants;

/** The count of a new tenant, whose accounts are written with it. */
export const accountCountAction = (name: TenantName, accounts: number): PutAction => ({
  put: { ...accountCountKey(name), accounts },
});

/** Counts accounts that are added, if a tenant that is counted has room for them. */
export const addAccountsAction = (
  name: TenantName,
  { added, maximum }: { added: number; maximum: number },
): UpdateAction => ({
  update: accountCountKey(name),
  expression: 'ADD accounts :added',
  condition: 'accounts <= :most',
  values: { ':added': added, ':most': maximum - added },
});

/** Counts a tenant that is added, if its application has room for it. */
export const addTenantAction = (
  applicationId: string,
  { maximum }: { maximum: number },
): UpdateAction => ({
  update: tenantCountKey(applicationId),
  expression: 'ADD tenants :one',
  condition: 'attribute_not_exists(tenants) OR tenants < :maximum',
  values: { ':one': 1, ':maximum': maximum },
});

/** Counts the accounts of a tenant by their keys. It costs what reading them costs. */
export const countAccounts = (table: Pick<Table, 'queryPage'>, name: TenantName): Promise<number> =>
  countItems(table, prefixRange(tenantKey(name).pk, accountPrefix));

/**
 * Begins to count the accounts of a tenant that is older than the quota, and returns how many there
 * are. Nobody adds accounts to a tenant without a count, so what was counted is still right.
 */
export const beginAccountCount = async (
  table: Pick<Table, 'queryPage' | 'update'>,
  name: TenantName,
): Promise<number> => {
  const accounts = await countAccounts(table, name);
  await table.update({
    update: accountCountKey(name),
    expression: 'SET accounts = :accounts',
    condition: 'attribute_not_exists(accounts)',
    values: { ':accounts': accounts },
  });
  return accounts;
};

/**
 * Begins to count the tenants of applications that are older than the quota. Those that were added
 * while the service ran before the migration are counted too; one that is added during the pass may
 * be left out. The accounts of a tenant are counted when the next one is added.
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
            {
              update: { pk, sk: tenantCountSort },
              expression: 'SET tenants = :tenants',
              condition: 'attribute_not_exists(tenants) OR tenants < :tenants',
              values: { ':tenants': tenants },
            },
          ]),
    };
  },
};
