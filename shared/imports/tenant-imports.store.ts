// A tenant together with the import that was asked for last, and when somebody looks at it next.

import * as z from 'zod/mini';
import { ApiError } from '../errors.ts';
import { dueSetAtOf, dueTimeOf } from '../table/due-keys.ts';
import { importKey, keyText, type TenantName, tenantKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { Tenant } from '../tenants/tenants.ts';
import { Import } from './imports.store.ts';

/** An import, when somebody looks at it, and when that was decided; both `null` if it has ended. */
export const ImportReport = z.pipe(
  z.extend(Import, { due_sk: z.optional(z.string()) }),
  z.transform(({ due_sk, ...found }) => ({
    ...found,
    nextAttemptAt: due_sk === undefined ? null : dueTimeOf(due_sk),
    nextAttemptSetAt: due_sk === undefined ? null : dueSetAtOf(due_sk),
  })),
);
export type ImportReport = z.output<typeof ImportReport>;

/** `lastImport` is `undefined` where none was ever asked for. */
export type TenantImport = {
  name: TenantName;
  tenant: Tenant;
  lastImport: ImportReport | undefined;
};

export type TenantImports = ReturnType<typeof openTenantImports>;

export const openTenantImports = (table: Table) => ({
  /** One call. @throws ApiError `tenant_not_found` */
  get: async (name: TenantName): Promise<TenantImport> => {
    const items = await table.getMany([tenantKey(name), importKey(name)]);
    const tenant = items.get(keyText(tenantKey(name)));
    const found = items.get(keyText(importKey(name)));
    if (tenant === undefined) throw new ApiError('tenant_not_found');
    return {
      name,
      tenant: Tenant.parse(tenant),
      lastImport: found && ImportReport.parse(found),
    };
  },
});
