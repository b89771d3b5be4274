// Lists all tenants, for the operator's tool.

import * as z from 'zod/mini';
import { type TenantName, tenantSort } from '../table/keys.ts';
import type { TableScan } from '../table/table-scan.ts';

const TenantItem = z.object({
  applicationId: z.string(),
  schemaName: z.string(),
  prefix: z.string(),
});

/** All tenants, ordered by their unique prefixes. This scans the whole table. */
export const listEveryTenant = async (
  scan: Pick<TableScan, 'itemsWithSort'>,
): Promise<{ name: TenantName; prefix: string }[]> => {
  const tenants = [];
  for await (const item of scan.itemsWithSort(tenantSort)) {
    const { prefix, ...name } = TenantItem.parse(item);
    tenants.push({ name, prefix });
  }
  return tenants.sort((one, other) => (one.prefix < other.prefix ? -1 : 1));
};
