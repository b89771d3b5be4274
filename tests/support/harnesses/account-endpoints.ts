// The endpoints of accounts, on a ledger with a tenant that keeps its own books beside one whose
// platform has accounts.

import { createHandler as createCreate } from '#functions/create-account/handler.ts';
import { createHandler as createList } from '#functions/list-accounts/handler.ts';
import { createHandler as createUpdate } from '#functions/update-account/handler.ts';
import { openAccounts } from '#shared/accounts/accounts.store.ts';
import { openTenantCharts } from '#shared/accounts/charts.service.ts';
import { openCharts } from '#shared/accounts/charts.store.ts';
import { openTestLedger } from '../builders/ledger.ts';
import { testQuotas } from '../builders/quotas.ts';
import { connectionOf, tenantOf } from '../builders/tenants.ts';
import { apiEvent, lambdaContext, readResult } from '../events/lambda-events.ts';
import { chartAccount } from '../readers/charts.ts';
import { tenantToolsOf } from './tenant-tools.ts';

export type AccountVerb = 'list' | 'create' | 'update';

export const openAccountEndpoints = async (quotas = testQuotas) => {
  const ledger = await openTestLedger();
  const { table } = ledger;
  const dependencies = {
    tenantCharts: openTenantCharts(openCharts(table)),
    ...tenantToolsOf(table),
    quotas,
  };
  const handlers = {
    list: createList(dependencies),
    create: createCreate(dependencies),
    update: createUpdate(dependencies),
  };

  const send = async (verb: AccountVerb, input: object, applicationId = 'app1') => {
    const sent = verb === 'list' ? { method: 'GET', query: { ...input } } : { body: input };
    return readResult(await handlers[verb](apiEvent({ ...sent, applicationId }), lambdaContext()));
  };

  /** A tenant that is connected, with a bank and a loan of its platform. */
  const connectTenant = async (companyId: string) => {
    await ledger.createTenant(`Owner of ${companyId}`);
    const owner = { applicationId: 'app1', email: 'ada@example.com' };
    const { prefix, schemaName } = tenantOf(
      await ledger.tenants.connect(owner, connectionOf(companyId)),
    );
    const accounts = openAccounts(table, quotas);
    const name = { applicationId: 'app1', schemaName };
    const bank = chartAccount('bank', '090', { subtype: 'cash', cashFlow: 'cash' });
    const loan = chartAccount('loan', '900', {
      type: 'liability',
      subtype: 'non_current_liability',
      cashFlow: 'financing',
    });
    await accounts.record(name, [bank, loan]);
    return { domain_url: prefix, name, accounts, bank, loan };
  };

  return { ...ledger, send, connectTenant };
};
