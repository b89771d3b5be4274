// The dependencies of endpoints whose requests name a tenant.

import type { TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import type { Table } from '#shared/table/table.ts';
import { openTenantReader } from '#shared/tenants/tenant-reader.store.ts';
import { keepLog } from '../recorders/log.ts';
import { keepMetrics } from '../recorders/metrics.ts';

export const tenantToolsOf = (table: Table) =>
  ({
    baseDomain: 'ledger.example.com',
    tenants: openTenantReader(table),
    log: keepLog(),
    metrics: keepMetrics(),
  }) satisfies TenantEndpointTools;
