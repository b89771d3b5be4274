// A connected tenant whose platform has a bank and a loan.

import { openAccounts } from '#shared/accounts/accounts.store.ts';
import { chartAccount } from '../readers/charts.ts';
import type { openTestLedger } from './ledger.ts';
import { testQuotas } from './quotas.ts';
import { connectionOf, tenantOf } from './tenants.ts';

export const connectTenant = async (
  { createTenant, tenants, table }: Awaited<ReturnType<typeof openTestLedger>>,
  companyId: string,
) => {
  await createTenant(`Owner of ${companyId}`);
  const owner = { applicationId: 'app1', email: 'ada@example.com' };
  const tenant = tenantOf(await tenants.connect(owner, connectionOf(companyId)));
  const name = { applicationId: 'app1', schemaName: tenant.schemaName };
  const accounts = openAccounts(table, testQuotas);
  const bank = chartAccount('bank', '090', { subtype: 'cash', cashFlow: 'cash' });
  const loan = chartAccount('loan', '900', {
    type: 'liability',
    subtype: 'non_current_liability',
    cashFlow: 'financing',
  });
  await accounts.record(name, [bank, loan]);
  return { domain_url: tenant.prefix, name, accounts, loan };
};
