// Reads tenants.

import { keyText, type TenantName, tenantKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { Tenant } from './tenants.ts';

export type TenantReader = ReturnType<typeof openTenantReader>;

export const openTenantReader = (table: Table) => ({
  find: async (name: TenantName): Promise<Tenant | undefined> => {
    const item = await table.get(tenantKey(name));
    return item && Tenant.parse(item);
  },

  /** The tenants of these names that exist, in the order of the names. */
  findMany: async (names: readonly TenantName[]): Promise<Tenant[]> => {
    const items = await table.getMany(names.map(tenantKey));
    return names.flatMap((name) => {
      const item = items.get(keyText(tenantKey(name)));
      return item ? [Tenant.parse(item)] : [];
    });
  },
});
