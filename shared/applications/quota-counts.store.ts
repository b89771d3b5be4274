// The counts for quotas. A count changes in the same transaction as the counted items, so
// concurrent requests cannot exceed a quota.

import * as z from 'zod/mini';
import type { HistoryEnd } from '../history/tenant-history.ts';
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

/**
 * The state of a tenant's chart. `accounts` is undefined for a tenant older than the quota.
 * `numbered` is the last number of an account. Each change of an account counts up `chartVersion`.
 * `changes` and `changesHead` are the end of the tenant's history; undefined if it has none yet.
 * While the history is opened, `openedUntil` is the last account in it.
 */
export const ChartState = z.object({
  accounts: z.optional(z.int()),
  numbered: z._default(z.int(), 0),
  chartVersion: z._default(z.int(), 0),
  changes: z.optional(z.int()),
  changesHead: z.optional(z.string()),
  openedUntil: z.optional(z.string()),
});
export type ChartState = z.infer<typeof ChartState>;

export const chartStateOf = (item: Item | undefined): ChartState => ChartState.parse(item ?? {});

const TenantCount = z.object({ tenants: z.int() });

/** The number of an application's tenants. Without an item it is zero. */
export const tenantsIn = (item: Item | undefined): number =>
  item === undefined ? 0 : TenantCount.parse(item).tenants;

/** The end of a tenant's history before a change and after it. */
type HistoryStep = { changes: number; end: HistoryEnd };

/** Sets the count of a new tenant, in the transaction that writes its accounts, numbered from 1. */
export const accountCountAction = (
  name: TenantName,
  accounts: number,
  end: HistoryEnd,
): PutAction => ({
  put: { ...accountCountKey(name), accounts, numbered: accounts, chartVersion: 1, ...end },
});

/**
 * Adds accounts with the numbers after `numbered` to the count. Fails if the tenant has no count,
 * the quota is reached, these numbers are taken, or its history has another change.
 */
export const addAccountsAction = (
  name: TenantName,
  {
    added,
    maximum,
    numbered,
    changes,
    end,
  }: { added: number; maximum: number; numbered: number } & HistoryStep,
): UpdateAction => ({
  update: accountCountKey(name),
  expression:
    'SET numbered = :last, changes = :changes, changesHead = :head ' +
    'ADD accounts :added, chartVersion :one',
  condition: `accounts <= :most AND changes = :before AND ${isNumbered(numbered)}`,
  values: {
    ':last': numbered + added,
    ':added': added,
    ':one': 1,
    ':most': maximum - added,
    ':numbered': numbered,
    ':before': changes,
    ':changes': end.changes,
    ':head': end.changesHead,
  },
});

/**
 * Takes the numbers after `numbered` for accounts that have none. Fails if these numbers are taken.
 */
export const numberAccountsAction = (
  name: TenantName,
  { added, numbered }: { added: number; numbered: number },
): UpdateAction => ({
  update: accountCountKey(name),
  expression: 'SET numbered = :last ADD chartVersion :one',
  condition: isNumbered(numbered),
  values: { ':last': numbered + added, ':one': 1, ':numbered': numbered },
});

const isNumbered = (numbered: number): string =>
  `(${numbered === 0 ? 'attribute_not_exists(numbered) OR ' : ''}numbered = :numbered)`;

/**
 * Counts up the version of a chart, in the transaction that changes its accounts. Fails if its
 * history has another change.
 */
export const changeChartAction = (name: TenantName, { changes, end }: HistoryStep): UpdateAction =>
  updateAction(accountCountKey(name), {
    set: end,
    increment: ['chartVersion'],
    expected: { changes },
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
