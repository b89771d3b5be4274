// Tenants of an application that are connected to a platform, as the operator's commands find them.

import {
  findOrCreateApplication,
  type KeyIssuing,
} from '#shared/applications/issue-api-key.service.ts';
import { connectionKey, tenantKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { usualFinancialYearEnd } from '#shared/tenants/financial-year.ts';
import type { Tenant } from '#shared/tenants/tenants.ts';

/** Writes a tenant: with a failed import, or without a platform if the slot is `manual`. */
export const addTenant = async (
  { table, issuing }: { table: Table; issuing: Omit<KeyIssuing, 'pepper'> },
  { prefix, slot = 'platform_a' }: { prefix: string; slot?: Tenant['platform'] },
) => {
  const { application } = await findOrCreateApplication(issuing, 'Bookings');
  const name = {
    applicationId: application.applicationId,
    schemaName: prefix.replaceAll('-', '_'),
  };
  const tenant: Tenant = {
    ...name,
    prefix,
    platform: slot,
    companyName: prefix,
    currency: 'EUR',
    cashFlowMethod: 'direct',
    financialYearEnd: usualFinancialYearEnd,
    status: slot === 'manual' ? 'active' : 'import_failed',
    createdAt: '2026-03-20T09:00:00.000Z',
  };
  const company = { adapter: 'xero', companyId: prefix, dataCenter: null };
  const connection = { ...company, sealedTokens: '1.x', version: 1 };
  await table.transact([
    { put: { ...tenantKey(name), kind: 'tenant', ...tenant } },
    ...(slot === 'manual' ? [] : [{ put: { ...connectionKey(name), ...connection } }]),
  ]);
  return name;
};
