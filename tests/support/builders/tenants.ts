// Tenants on a test table, with owners to create them for and companies to connect.

import { randomBytes } from 'node:crypto';
import type { ConnectedCompany } from '#shared/connections/platform-connections.ts';
import { byService, byUser } from '#shared/history/tenant-history.ts';
import { suffixFrom } from '#shared/tenants/domain-names.ts';
import { usualFinancialYearEnd } from '#shared/tenants/financial-year.ts';
import {
  type ConnectionOutcome,
  type ConnectionRequest,
  type Owner,
  openTenants,
  type TenantDetails,
} from '#shared/tenants/tenants.store.ts';
import type { Tenant } from '#shared/tenants/tenants.ts';
import { openUsers } from '#shared/users/users.store.ts';
import { openTestConnections, someCompany, tokensOf } from './platforms/connections.ts';
import { testQuotas } from './quotas.ts';

const createdAt = '2026-03-23T09:30:00.000Z';

export const newSuffix = (): string => suffixFrom(randomBytes(6));

/** The suffix of a tenant with a unique company name, for tests that need the prefix. */
export const testSuffix = 'k7m2xq';

/** The first suffix of each company is the known one. */
export const openTestSuffixes = () => {
  let isFirst = true;
  return {
    beginCompany: (): void => {
      isFirst = true;
    },
    newSuffix: (): string => {
      const suffix = isFirst ? testSuffix : newSuffix();
      isFirst = false;
      return suffix;
    },
  };
};

export const detailsOf = (companyName: string): TenantDetails => ({
  platform: 'manual',
  companyName,
  currency: 'EUR',
  cashFlowMethod: 'indirect',
  financialYearEnd: usualFinancialYearEnd,
  createdAt,
});

/** The tenant that was created or renewed. */
export const tenantOf = (creation: ConnectionOutcome): Tenant => {
  if ('tenant' in creation) return creation.tenant;
  throw new Error(`nothing was to be ${creation.outcome}`);
};

/** A request to connect a company of platform_a; `tokens` is the name of its tokens. */
export const connectionOf = (
  companyId: string,
  changes: {
    details?: Partial<TenantDetails>;
    company?: Partial<ConnectedCompany>;
    tokens?: string;
    reconnectBy?: string;
    importId?: string;
    idempotencyKey?: string;
  } = {},
): ConnectionRequest => {
  const { idempotencyKey } = changes;
  return {
    details: { ...detailsOf(companyId), platform: 'platform_a', ...changes.details },
    company: { ...someCompany, companyId, ...changes.company },
    tokens: tokensOf(changes.tokens ?? 'first'),
    reconnectBy: changes.reconnectBy ?? null,
    importId: changes.importId ?? 'import-1',
    idempotentRequest: idempotencyKey ? { idempotencyKey, request: { companyId } } : undefined,
    by: byUser(undefined),
  };
};

/** A tenant of platform_a in replies, while it is importing. */
export const summaryOf = (
  { prefix, schemaName }: Pick<Tenant, 'prefix' | 'schemaName'>,
  fields: { company_name: string },
) => ({
  tenant_domain_url: prefix,
  schema_name: schemaName,
  platform: 'platform_a',
  currency: 'EUR',
  cash_flow_method: 'direct',
  profit_layout: 'ifrs_18',
  financial_year_end: '12-31',
  entry_years_back: null,
  entry_years_ahead: null,
  indexed_metadata: [],
  follow_platform_edits: true,
  lock_date: null,
  locked_from: null,
  status: 'importing',
  status_reason: null,
  reconnect_by: null,
  created_at: createdAt,
  ...fields,
});

export const openTestTenants = async (
  suffixes: { newSuffix: () => string } = { newSuffix },
  quotas = testQuotas,
) => {
  const database = await openTestConnections();
  const { table, sealing } = database;
  const users = openUsers(table);
  const tenants = openTenants(table, { sealing, newSuffix: suffixes.newSuffix, quotas });
  return {
    ...database,
    users,
    tenants,
    /** Connects a company of platform_a. */
    connectTenant: async (owner: Owner, request: ConnectionRequest) => {
      const { prefix, schemaName } = tenantOf(await tenants.connect(owner, request));
      return {
        name: { applicationId: owner.applicationId, schemaName },
        domain_url: prefix,
        prefix,
        schemaName,
        /** The tenant in replies. */
        reference: { tenant_domain_url: prefix, schema_name: schemaName, platform: 'platform_a' },
      };
    },
    createTenant: async (owner: Owner, companyName: string): Promise<Tenant> =>
      tenantOf(
        await tenants.create(owner, {
          details: detailsOf(companyName),
          accounts: [],
          idempotentRequest: undefined,
          by: byService,
        }),
      ),
    newOwner: async (email: string, applicationId = 'app1') => {
      const { user } = await users.record(
        { applicationId, email, firstName: 'Ada', lastName: 'Lovelace', createdAt },
        { passwordHash: 'none', newUserId: () => String(randomBytes(6).readUIntBE(0, 6) + 1) },
      );
      return { applicationId, email, userId: user.userId };
    },
    schemaNamesOf: async (owner: Owner): Promise<string[] | undefined> =>
      (await users.findWithTenants(owner, { limit: 100, now: new Date() }))?.schemaNames,
    tenantsNamed: async (companyName: string) =>
      (await database.scan()).filter(
        (item) => item.sk === 'TENANT' && item.companyName === companyName,
      ),
  };
};
