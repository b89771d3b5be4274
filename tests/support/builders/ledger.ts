// A ledger's stores on a test table, with an application, a user and tenants to post to.

import { defaultChart } from '#shared/accounts/default-chart.ts';
import { openJournalEntries } from '#shared/entries/journal-entries.store.ts';
import { openScheduledEntries } from '#shared/entries/schedule/scheduled-entries.store.ts';
import { byService } from '#shared/history/tenant-history.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import type { Tenant } from '#shared/tenants/tenants.ts';
import { testQuotas } from './quotas.ts';
import { detailsOf, openTestTenants, tenantOf, testSuffix } from './tenants.ts';

/** Real ECB rates of two days (the second without IDR). The ECB has none for KES. */
export const someRates = [
  {
    date: '2026-03-20',
    rates: { USD: '1.1555', JPY: '183.46', GBP: '0.86438', IDR: '19557.3' },
  },
  { date: '2026-03-23', rates: { USD: '1.1596', JPY: '183.86', GBP: '0.86420' } },
];

export const openTestLedger = async () => {
  const database = await openTestTenants({ newSuffix: () => testSuffix });
  const { table, tenants, newOwner } = database;
  const exchangeRates = openExchangeRates(table, { maximumAgeDays: 7 });
  await exchangeRates.record(someRates);

  /** Creates a tenant of a name that no other has. */
  const createTenant = async (
    companyName: string,
    { applicationId = 'app1', currency = 'EUR' } = {},
  ): Promise<Tenant> => {
    const creation = await tenants.create(await newOwner('ada@example.com', applicationId), {
      details: { ...detailsOf(companyName), currency, createdAt: '2026-03-23T09:00:00.000Z' },
      accounts: defaultChart,
      idempotentRequest: undefined,
      by: byService,
    });
    return tenantOf(creation);
  };

  return {
    quotas: testQuotas,
    ...database,
    exchangeRates,
    createTenant,
    journalEntries: openJournalEntries(table),
    scheduledEntries: openScheduledEntries(table),
    chartCodes: defaultChart.map(({ code }) => code),
  };
};
