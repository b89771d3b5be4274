// Asks for an import of what is new at a tenant's platform.

import { createApiHandler } from '#shared/endpoint/api.ts';
import { ApiError } from '#shared/errors.ts';
import { tenantImportViewOf } from '#shared/imports/import.view.ts';
import type { Imports } from '#shared/imports/imports.store.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import type { Slots } from '#shared/platforms/slots.ts';
import type { TenantQueries } from '#shared/tenants/tenant-queries.service.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = {
  tenantQueries: TenantQueries;
  imports: Pick<Imports, 'requestChanges'>;
  slots: Slots;
  clock: () => Date;
  newImportId: () => string;
  log: Log;
  metrics: Metrics;
};

export const createHandler = (dependencies: Dependencies) => {
  const { tenantQueries, imports, slots, clock, newImportId, log, metrics } = dependencies;
  return createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input: { domain_url } }) => {
        const { name, tenant } = await tenantQueries.get(applicationId, domain_url);
        // Its tokens may be held still, where its platform was down when it was disconnected.
        if (tenant.status === 'disconnected') throw new ApiError('tenant_not_connected');
        const moment = clock();
        const asked = { importId: newImportId(), requestedAt: moment.toISOString() };
        const { lockDate } = tenant;
        const outcome = await imports.requestChanges(name, { ...asked, lockDate });
        if (outcome === 'not_connected') throw new ApiError('tenant_not_connected');
        const after = await tenantQueries.get(applicationId, domain_url);
        const requested = outcome === 'requested';
        return { data: { ...tenantImportViewOf(after, { slots, now: moment }), requested } };
      },
      storeProblems: ({ caller: { applicationId }, input }) =>
        tenantQueries.problemsOf(applicationId, input),
    },
    { log, metrics },
  );
};
