// Changes a tenant: its name, its fiscal year, its method of cash flows, its locked period.

import { changesIn } from '#shared/changes.ts';
import { createApiHandler } from '#shared/endpoint/api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import type { Slots } from '#shared/platforms/slots.ts';
import { summaryOf } from '#shared/tenants/tenant.view.ts';
import type { TenantUpdates } from '#shared/tenants/tenant-updates.service.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = {
  tenantUpdates: TenantUpdates;
  slots: Slots;
  log: Log;
  metrics: Metrics;
};

const changesOf = (input: Partial<Request>) =>
  changesIn({
    companyName: input.company_name,
    cashFlowMethod: input.cash_flow_method,
    financialYearEnd: input.financial_year_end,
    lockDate: input.lock_date,
  });

export const createHandler = ({ tenantUpdates, slots, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId, keyId }, input }) => {
        const target = { applicationId, domainUrl: input.domain_url };
        const asked = { changes: changesOf(input), keyId };
        return { data: summaryOf(await tenantUpdates.update(target, asked), slots) };
      },
      storeProblems: ({ caller: { applicationId }, input }) => {
        const readable = validFieldsOf(Request, input);
        const target = { applicationId, domainUrl: readable.domain_url };
        const changesInBody = changesOf(Object(input) as Partial<Request>);
        return tenantUpdates.problemsOfUpdate(target, {
          changes: changesOf(readable),
          changesInBody,
        });
      },
    },
    { log, metrics },
  );
