// A tenant with its last requested import.

import { ApiError } from '../errors.ts';
import { importKey, keyText, type TenantName, tenantKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { Tenant } from '../tenants/tenants.ts';
import { ImportReport } from './import-record.store.ts';

/** `lastImport` is `undefined` if no import was ever requested. */
type TenantImport = {
  tenant: Tenant;
  lastImport: ImportReport | undefined;
};

export type TenantImports = ReturnType<typeof openTenantImports>;

export const openTenantImports = (table: Table) => ({
  /** Reads both in one call. @throws ApiError `tenant_not_found` */
  get: async (name: TenantName): Promise<TenantImport> => {
    const items = await table.getMany([tenantKey(name), importKey(name)]);
    const tenant = items.get(keyText(tenantKey(name)));
    const lastImport = items.get(keyText(importKey(name)));
    if (tenant === undefined) throw new ApiError('tenant_not_found');
    return {
      tenant: Tenant.parse(tenant),
      lastImport: lastImport && ImportReport.parse(lastImport),
    };
  },
});
