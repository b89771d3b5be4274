// A minimal ledger, whose table is copied for each case: an application with a key, a user, two
// days of rates and, unless `withTenant` is false, a tenant with three accounts.

import { randomBytes } from 'node:crypto';
import { defaultChart } from '#shared/accounts/default-chart.ts';
import { hashApiKey, newApiKey, newApplicationId } from '#shared/applications/api-keys.ts';
import { openApplications } from '#shared/applications/applications.store.ts';
import { byService } from '#shared/history/tenant-history.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { openTestTable } from '../dynamodb/test-table.ts';
import type { RawItem } from '../readers/item-kinds.ts';
import { someRates } from './ledger.ts';
import { detailsOf, openTestTenants, testSuffix } from './tenants.ts';

export const ledgerTime = '2026-03-24T12:00:00.000Z';

/** The accounts of its tenant. */
export const smallChart = defaultChart.filter(({ code }) =>
  ['1010', '4010', '7100'].includes(code),
);

export type SmallLedger = Awaited<ReturnType<typeof openSmallLedger>>;

export const openSmallLedger = async ({ withTenant = true } = {}) => {
  const database = await openTestTenants({ newSuffix: () => testSuffix });
  const { table, scan, keys, tenants, newOwner } = database;
  const applicationId = newApplicationId(randomBytes);
  const { keyId, apiKey } = newApiKey(applicationId, randomBytes);
  const applications = openApplications(table);
  await applications.record({
    applicationId,
    name: 'Small',
    status: 'active',
    redirectUrls: [],
    createdAt: ledgerTime,
  });
  await applications.recordKey({
    keyId,
    applicationId,
    access: 'full',
    hash: hashApiKey(apiKey, Buffer.from(keys.versions['1'] ?? '', 'base64')),
    pepperVersion: '1',
    createdAt: ledgerTime,
    expiresAt: null,
    revokedAt: null,
  });
  const user = await newOwner('ada@example.com', applicationId);
  await openExchangeRates(table, { maximumAgeDays: 7 }).record(someRates);
  if (withTenant) {
    await tenants.create(user, {
      details: { ...detailsOf('Acme'), createdAt: ledgerTime },
      accounts: smallChart,
      idempotentRequest: undefined,
      by: byService,
    });
  }
  const items = await scan();
  return {
    applicationId,
    apiKey,
    user,
    keys,
    /** A new table with the same items, or with these of an earlier copy. */
    copy: async (others: readonly RawItem[] = items) => {
      const database = await openTestTable();
      // They have their authenticators.
      await database.tamper(...others);
      return database;
    },
  };
};
