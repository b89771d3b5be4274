// Adds an account to a tenant's chart.

import { viewOf } from '#shared/accounts/account.view.ts';
import type { NewAccount } from '#shared/accounts/account-rules.ts';
import type { TenantCharts } from '#shared/accounts/charts.service.ts';
import type { Quotas } from '#shared/applications/quotas.ts';
import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & {
  tenantCharts: Pick<TenantCharts, 'create' | 'problemsOfCreation'>;
  quotas: Quotas;
};

/** The new account; of an invalid request, its readable fields. */
const newAccountFrom = <Input extends Partial<Request>>(input: Input) => {
  const { domain_url: _, normal_balance: normalBalance, cash_flow: cashFlow, ...same } = input;
  return { ...same, normalBalance, cashFlow };
};

export const createHandler = ({ tenantCharts, quotas, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { keyId }, tenant, input }) => {
        const newAccount: NewAccount = newAccountFrom(input);
        const creation = { quotas, keyId };
        const { created, account } = await tenantCharts.create(tenant, newAccount, creation);
        return { data: { created, ...viewOf(account) } };
      },
      storeProblems: ({ tenant, input }) => {
        const newAccount = newAccountFrom(validFieldsOf(Request, input));
        return tenantCharts.problemsOfCreation(tenant, newAccount, quotas);
      },
    },
    tools,
  );
