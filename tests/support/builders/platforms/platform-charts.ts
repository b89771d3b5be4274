// A connected tenant whose platform has a bank and a loan.

import { openAccounts } from '#shared/accounts/accounts.store.ts';
import { chartAccount } from '../../readers/charts.ts';
import type { openTestLedger } from '../ledger.ts';
import { testQuotas } from '../quotas.ts';
import { connectionOf } from '../tenants.ts';

export const connectTenant = async (
  { newOwner, table, ...ledger }: Awaited<ReturnType<typeof openTestLedger>>,
  companyId: string,
) => {
  const owner = await newOwner('ada@example.com');
  const { name, domain_url } = await ledger.connectTenant(owner, connectionOf(companyId));
  const accounts = openAccounts(table, testQuotas);
  const bank = chartAccount('bank', '090', { subtype: 'cash', cashFlow: 'cash' });
  const loan = chartAccount('loan', '900', {
    type: 'liability',
    subtype: 'non_current_liability',
    cashFlow: 'financing',
  });
  await accounts.record(name, [bank, loan]);
  return { domain_url, name, accounts, loan };
};
