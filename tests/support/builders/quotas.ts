// Quotas that no test meets unless it sets its own.

import type { Quotas } from '#shared/applications/quotas.ts';

export const testQuotas: Quotas = {
  accountsPerTenant: 10_000,
  tenantsPerApplication: 10_000,
  entryYearsBack: 9_999,
  entryYearsAhead: 9_999,
  accountCodeBytes: 64,
};
