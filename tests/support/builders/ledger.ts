// A ledger's stores on a test table, with an application, a user and tenants to post to.

import { randomBytes } from 'node:crypto';
import { defaultChart } from '#shared/accounts/default-chart.ts';
import { openJournalEntries } from '#shared/entries/journal-entries.store.ts';
import { openScheduledEntries } from '#shared/entries/schedule/scheduled-entries.store.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { openSealing } from '#shared/sealing.ts';
import { openTenants } from '#shared/tenants/tenants.store.ts';
import type { Tenant } from '#shared/tenants/tenants.ts';
import { newUserId, openUsers } from '#shared/users/users.store.ts';
import { openTestTable } from '../dynamodb/test-table.ts';
import { testQuotas } from './quotas.ts';
import { fixedSecret, newKeys } from './secrets.ts';
import { detailsOf, tenantOf, testSuffix } from './tenants.ts';

/** Real ECB rates of two days (the second without IDR). The ECB has none for KES. */
export const someRates = [
  {
    date: '2026-03-20',
    rates: { USD: '1.1555', JPY: '183.46', GBP: '0.86438', IDR: '19557.3' },
  },
  { date: '2026-03-23', rates: { USD: '1.1596', JPY: '183.86', GBP: '0.86420' } },
];

export const openTestLedger = async () => {
  const database = await openTestTable();
  const { table } = database;
  const sealing = openSealing(fixedSecret(newKeys('1')));
  const tenants = openTenants(table, { sealing, newSuffix: () => testSuffix, quotas: testQuotas });
  const users = openUsers(table);
  const exchangeRates = openExchangeRates(table, { maximumAgeDays: 7 });
  await exchangeRates.record(someRates);

  /** Creates a tenant of a name that no other has. */
  const createTenant = async (
    companyName: string,
    { applicationId = 'app1', currency = 'EUR' } = {},
  ): Promise<Tenant> => {
    const createdAt = '2026-03-23T09:00:00.000Z';
    const { user } = await users.record(
      { applicationId, email: 'ada@example.com', firstName: 'Ada', lastName: 'L', createdAt },
      { passwordHash: 'none', newUserId: () => newUserId(randomBytes) },
    );
    const creation = await tenants.create(user, {
      details: { ...detailsOf(companyName), currency, createdAt },
      accounts: defaultChart,
      idempotentRequest: undefined,
    });
    return tenantOf(creation);
  };

  return {
    quotas: testQuotas,
    ...database,
    sealing,
    users,
    tenants,
    exchangeRates,
    createTenant,
    journalEntries: openJournalEntries(table),
    scheduledEntries: openScheduledEntries(table),
    chartCodes: defaultChart.map(({ code }) => code),
  };
};
