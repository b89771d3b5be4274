// create-tenant on a test table and a platform in memory, with users of two applications: 41 and 42
// are app1's, 43 is app2's.

import { randomUUID } from 'node:crypto';
import { openImports } from '#shared/imports/imports.store.ts';
import type { AdapterName } from '#shared/platforms/slots.ts';
import { testQuotas } from '../builders/quotas.ts';
import { manualTenant, tokenFields } from '../builders/requests.ts';
import { newSuffix, openTestSuffixes, openTestTenants, testSuffix } from '../builders/tenants.ts';
import { keepLog } from '../recorders/log.ts';
import { keepMetrics } from '../recorders/metrics.ts';
import { acme, openFakePlatform } from '../servers/fake-platform.ts';
import { callsOf } from './calls.ts';
import { openInstance } from './instances.ts';

const now = new Date('2026-03-23T09:30:00.000Z');

type Changes = { applicationId?: string; idempotencyKey?: string } & Partial<
  Parameters<typeof openInstance>[0]
>;

export const openTenantCreation = async (quotas = testQuotas) => {
  const suffixes = openTestSuffixes();
  const database = await openTestTenants(suffixes, quotas);
  const { table, users } = database;
  for (const [applicationId, userId, email] of [
    ['app1', '41', 'ada@example.com'],
    ['app1', '42', 'bob@example.com'],
    ['app2', '43', 'ada@example.com'],
  ] as const) {
    await users.record(
      { applicationId, email, firstName: 'A', lastName: 'B', createdAt: now.toISOString() },
      { passwordHash: 'none', newUserId: () => userId },
    );
  }

  /** A company whose name no other test uses, a platform that has it, and requests for it. */
  const newCompany = ({
    adapter = 'xero',
    dataCenter = null,
    companyId = randomUUID(),
    reconnectInSeconds = null,
  }: {
    adapter?: AdapterName;
    dataCenter?: string | null;
    companyId?: string;
    reconnectInSeconds?: number | null;
  } = {}) => {
    const log = keepLog();
    const metrics = keepMetrics();
    suffixes.beginCompany();
    const companyName = `acme-${newSuffix()}`;
    const prefix = `${companyName}-${testSuffix}`;
    const fake = openFakePlatform({
      adapter,
      reconnectInSeconds,
      company: { ...acme, companyId, dataCenter, name: companyName },
    });

    const create = (body: object, changes: Changes = {}) => {
      const { applicationId = 'app1', idempotencyKey, ...others } = changes;
      const instance = openInstance({
        table,
        keys: database.keys,
        quotas,
        platforms: fake.platforms,
        clock: () => now,
        ids: { newSuffix: suffixes.newSuffix, newImportId: () => 'import-1' },
        log,
        metrics,
        ...others,
      });
      const headers = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
      return callsOf(instance).send('createTenant', body, { applicationId, headers });
    };

    return {
      log,
      metrics,
      fake,
      companyName,
      /** The prefix of the next tenant. */
      prefix,
      name: { applicationId: 'app1', schemaName: prefix.replaceAll('-', '_') },
      create,
      manual: () => ({ ...manualTenant, user_id: 41, company_name: companyName }),
      /** A request with new tokens, which the platform accepts. */
      connected: (platform = 'platform_a') => ({
        user_id: 41,
        platform,
        cash_flow_method: 'direct',
        ...tokenFields(fake.issueTokens()),
        platform_company_id: companyId,
        ...(dataCenter !== null && { data_center: dataCenter }),
        ...(platform === 'platform_c' && { company_name: companyName, currency: 'EUR' }),
      }),
    };
  };

  return {
    ...database,
    imports: openImports(table),
    newCompany,
    countTenants: async (): Promise<number> =>
      (await database.scan()).filter(({ sk }) => sk === 'TENANT').length,
  };
};

export type Company = ReturnType<Awaited<ReturnType<typeof openTenantCreation>>['newCompany']>;
