// Lists the tenants of an application, by an item for each tenant.

import * as z from 'zod/mini';
import { type Key, keyText, type TenantName, tenantNameOf, tenantSort } from '../table/keys.ts';
import {
  isListedTenant,
  listedTenantKey,
  readListedTenantKey,
  tenantListPartition,
} from '../table/list-keys.ts';
import type { MigrationStep } from '../table/migration-step.ts';
import { readPage } from '../table/pages.ts';
import { lastCharacter, sortRange } from '../table/sort-ranges.ts';
import { ifNotExists, type PutAction, type Table } from '../table/table.ts';
import type { Tenant } from './tenants.ts';

/** The place of a tenant in its application's list. */
type ListedTenant = Pick<Tenant, 'createdAt' | 'schemaName'>;

/** Lists a new tenant. Its place never changes. */
export const listTenantAction = (
  tenant: Pick<Tenant, 'applicationId' | 'createdAt' | 'schemaName'>,
): PutAction => ({ put: listedTenantKey(tenant) });

export type TenantLists = ReturnType<typeof openTenantLists>;

export const openTenantLists = (table: Pick<Table, 'queryPage'>) => ({
  /** A page of an application's tenants, the oldest first. */
  list: async (
    applicationId: string,
    { limit, after }: { limit: number; after: ListedTenant | undefined },
  ): Promise<{ names: TenantName[]; next: ListedTenant | undefined }> => {
    const { items, next } = await readPage(
      table,
      sortRange(tenantListPartition(applicationId), { first: ' ', last: lastCharacter }),
      {
        limit,
        // Every item is listed, so none is left out.
        bounds: { items: 0, bytes: 0 },
        after: after && listedTenantKey({ applicationId, ...after }),
      },
    );
    return {
      names: items.map((item) => {
        const { schemaName } = readListedTenantKey(item as Key);
        return { applicationId, schemaName };
      }),
      next: next && readListedTenantKey(next),
    };
  },
});

const CreatedTenant = z.object({ createdAt: z.string() });

/** Lists the tenants of the stored format 5, which were not listed. */
export const listTenants: MigrationStep = {
  name: 'lists of tenants',
  start: () => {
    const tenants: Key[] = [];
    const listed = new Set<string>();
    return {
      convert: (item) => {
        const key = item as Key;
        const name = key.sk === tenantSort ? tenantNameOf(key) : undefined;
        if (name) tenants.push(listedTenantKey({ ...name, ...CreatedTenant.parse(item) }));
        else if (isListedTenant(key)) listed.add(keyText(key));
        return [];
      },
      finish: () =>
        tenants
          .filter((key) => !listed.has(keyText(key)))
          .map((key) => [{ put: key, condition: ifNotExists }]),
    };
  },
};
