// A tenant with its last requested import.

import * as z from 'zod/mini';
import { ApiError } from '../errors.ts';
import { dueSetAtOf, dueTimeOf } from '../table/due-keys.ts';
import { importKey, keyText, type TenantName, tenantKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { Tenant } from '../tenants/tenants.ts';
import { Import } from './imports.store.ts';

/** An import with its due time, and when that was set. Both are null after the import has ended. */
export const ImportReport = z.pipe(
  z.extend(Import, { due_sk: z.optional(z.string()) }),
  z.transform(({ due_sk, ...stored }) => ({
    ...stored,
    nextAttemptAt: due_sk === undefined ? null : dueTimeOf(due_sk),
    nextAttemptSetAt: due_sk === undefined ? null : dueSetAtOf(due_sk),
  })),
);
export type ImportReport = z.output<typeof ImportReport>;

/** `lastImport` is `undefined` if no import was ever requested. */
export type TenantImport = {
  name: TenantName;
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
      name,
      tenant: Tenant.parse(tenant),
      lastImport: lastImport && ImportReport.parse(lastImport),
    };
  },
});
