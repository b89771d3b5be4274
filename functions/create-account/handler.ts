// Adds an account to a tenant's chart.

import { viewOf } from '#shared/accounts/account.view.ts';
import type { NewAccount } from '#shared/accounts/account-rules.ts';
import type { TenantCharts } from '#shared/accounts/charts.service.ts';
import type { Quotas } from '#shared/applications/quotas.ts';
import { createApiHandler } from '#shared/endpoint/api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = {
  tenantCharts: Pick<TenantCharts, 'create' | 'problemsOfCreation'>;
  quotas: Quotas;
  log: Log;
  metrics: Metrics;
};

/** The account that is asked for, as far as the request could be read. */
const askedIn = <Input extends Partial<Request>>(input: Input) => {
  const { domain_url: _, normal_balance: normalBalance, cash_flow: cashFlow, ...same } = input;
  return { ...same, normalBalance, cashFlow };
};

export const createHandler = ({ tenantCharts, quotas, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input }) => {
        const target = { applicationId, domainUrl: input.domain_url };
        const asked: NewAccount = askedIn(input);
        const { created, account } = await tenantCharts.create(target, asked, quotas);
        return { data: { created, ...viewOf(account) } };
      },
      storeProblems: ({ caller: { applicationId }, input }) => {
        const readable = validFieldsOf(Request, input);
        const target = { applicationId, domainUrl: readable.domain_url };
        return tenantCharts.problemsOfCreation(target, askedIn(readable), quotas);
      },
    },
    { log, metrics },
  );
