// Changes an account of a tenant's chart.

import { viewOf } from '#shared/accounts/account.view.ts';
import type { TenantCharts } from '#shared/accounts/charts.service.ts';
import { changesIn } from '#shared/changes.ts';
import { createApiHandler } from '#shared/endpoint/api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = {
  tenantCharts: Pick<TenantCharts, 'update' | 'problemsOfUpdate'>;
  log: Log;
  metrics: Metrics;
};

const changesOf = ({ name, status, subtype, cash_flow: cashFlow }: Partial<Request>) =>
  changesIn({ name, status, subtype, cashFlow });

export const createHandler = ({ tenantCharts, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input }) => {
        const target = { applicationId, domainUrl: input.domain_url };
        const asked = { code: input.code, changes: changesOf(input) };
        return { data: viewOf(await tenantCharts.update(target, asked)) };
      },
      storeProblems: ({ caller: { applicationId }, input }) => {
        const readable = validFieldsOf(Request, input);
        const target = { applicationId, domainUrl: readable.domain_url };
        const { code } = readable;
        const changesInBody = changesOf(Object(input) as Partial<Request>);
        return tenantCharts.problemsOfUpdate(target, {
          code,
          changes: changesOf(readable),
          changesInBody,
        });
      },
    },
    { log, metrics },
  );
