// A ledger as small as can be, whose whole table is copied for each case: an application with its
// key, a user, two days of rates, and where it is asked for a tenant of two accounts.

import { randomBytes, randomUUID } from 'node:crypto';
import { hashApiKey, newApiKey, newApplicationId } from '#shared/domain/api-keys.ts';
import { newNonce } from '#shared/domain/authorization-states.ts';
import { defaultChart } from '#shared/domain/default-chart.ts';
import { newUserId } from '#shared/domain/user-ids.ts';
import { openApplications } from '#shared/store/applications.ts';
import { openExchangeRates } from '#shared/store/exchange-rates.ts';
import { openSealing } from '#shared/store/sealing.ts';
import { openTenants } from '#shared/store/tenants.ts';
import { openUsers } from '#shared/store/users.ts';
import { openTestTable } from '../dynamodb/test-table.ts';
import type { Ids } from '../harnesses/instances.ts';
import type { RawItem } from '../readers/item-kinds.ts';
import { someRates } from './ledger.ts';
import { testQuotas } from './quotas.ts';
import { fixedSecret, newKeys } from './secrets.ts';
import { detailsOf, newSuffix, testSuffix } from './tenants.ts';

export const ledgerTime = '2026-03-24T12:00:00.000Z';

export const randomIds: Ids = {
  newUserId: () => newUserId(randomBytes),
  newSuffix,
  newNonce: () => newNonce(randomBytes),
  newImportId: randomUUID,
  newRunId: randomUUID,
  newRandom: randomBytes,
};

/** The accounts of its tenant. */
export const smallChart = defaultChart.filter(({ code }) => code === '1010' || code === '4010');

export type SmallLedger = Awaited<ReturnType<typeof openSmallLedger>>;

export const openSmallLedger = async ({ withTenant = true } = {}) => {
  const { table, scan } = await openTestTable();
  const keys = newKeys('1');
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
  const { user } = await openUsers(table).record(
    {
      ...{ applicationId, email: 'ada@example.com', createdAt: ledgerTime },
      ...{ firstName: 'Ada', lastName: 'Lovelace' },
    },
    { passwordHash: 'none', newUserId: () => newUserId(randomBytes) },
  );
  await openExchangeRates(table, { maximumAgeDays: 7 }).record(someRates);
  if (withTenant) {
    const sealing = openSealing(fixedSecret(keys));
    await openTenants(table, { sealing, newSuffix: () => testSuffix, quotas: testQuotas }).create(
      user,
      {
        details: { ...detailsOf('Acme'), createdAt: ledgerTime },
        accounts: smallChart,
        idempotentRequest: undefined,
      },
    );
  }
  const items = await scan();
  return {
    applicationId,
    apiKey,
    user,
    keys,
    /** A new table with the same items, or with these in their place. */
    copy: (others: readonly RawItem[] = items) => openTestTable({ items: others }),
  };
};
