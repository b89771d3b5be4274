// Lists the accounts of a tenant's chart, page by page.

import { viewOf } from '#shared/accounts/account.view.ts';
import type { TenantCharts } from '#shared/accounts/charts.service.ts';
import { createApiHandler } from '#shared/endpoint/api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { cursors, Data, Request } from './schema.ts';

export type Dependencies = {
  tenantCharts: Pick<TenantCharts, 'list' | 'problemsOf'>;
  log: Log;
  metrics: Metrics;
};

export const createHandler = ({ tenantCharts, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input }) => {
        const { domain_url: domainUrl, status, type, code, limit } = input;
        const after = cursors.positionOf(input)?.code;
        const query = { status, type, code, limit, after };
        const { accounts, next } = await tenantCharts.list({ applicationId, domainUrl }, query);
        const position = next === undefined ? undefined : { code: next };
        return {
          data: { accounts: accounts.map(viewOf), next_cursor: cursors.next(input, position) },
        };
      },
      storeProblems: ({ caller: { applicationId }, input }) => {
        const { domain_url: domainUrl } = validFieldsOf(Request, input);
        return tenantCharts.problemsOf({ applicationId, domainUrl });
      },
    },
    { log, metrics },
  );
