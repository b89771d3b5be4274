// Shows how a tenant's import stands, and what happens next.

import { createApiHandler } from '#shared/endpoint/api.ts';
import { tenantImportViewOf } from '#shared/imports/import.view.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import type { Slots } from '#shared/platforms/slots.ts';
import type { TenantQueries } from '#shared/tenants/tenant-queries.service.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = {
  tenantQueries: TenantQueries;
  slots: Slots;
  clock: () => Date;
  log: Log;
  metrics: Metrics;
};

export const createHandler = ({ tenantQueries, slots, clock, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input }) => {
        const found = await tenantQueries.get(applicationId, input.domain_url);
        return { data: tenantImportViewOf(found, { slots, now: clock() }) };
      },
      storeProblems: ({ caller: { applicationId }, input }) =>
        tenantQueries.problemsOf(applicationId, input),
    },
    { log, metrics },
  );
