// Gives a tenant's access back at its platform, and forgets its tokens.

import {
  type DisconnectionDependencies,
  openDisconnection,
  RenewedMeanwhile,
} from '#shared/connections/disconnection.service.ts';
import { createApiHandler } from '#shared/endpoint/api.ts';
import { ApiError } from '#shared/errors.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { apiErrorOfOurAccess } from '#shared/platforms/error-codes.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { Slots } from '#shared/platforms/slots.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { referenceTo } from '#shared/tenants/tenant.view.ts';
import type { TenantQueries } from '#shared/tenants/tenant-queries.service.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = DisconnectionDependencies<TenantName> & {
  tenantQueries: TenantQueries;
  platforms: Platforms;
  slots: Slots;
  log: Log;
  metrics: Metrics;
};

/** The refusal of a request after which the tokens are held still. */
const refusalOf = (error: unknown): unknown => {
  if (error instanceof RenewedMeanwhile)
    return new ApiError('contention', { retryAfterSeconds: 1 });
  return error instanceof PlatformFailure ? apiErrorOfOurAccess(error) : error;
};

export const createHandler = (dependencies: Dependencies) => {
  const { tenantQueries, platforms, slots, log, metrics } = dependencies;
  const disconnection = openDisconnection(dependencies, 'disconnected_by_application');

  const endAccess = async (name: TenantName, slot: keyof Slots) => {
    // It is read again below: what the platform is told depends on what is held at that moment.
    if ((await dependencies.connections.find(name)) === undefined) return 'none_held';
    const platform = await platforms.get(slot);
    await disconnection.endImport(name);
    return disconnection.giveBack(name, platform).catch((error: unknown): never => {
      throw refusalOf(error);
    });
  };

  return createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input: { domain_url } }) => {
        const { name, tenant } = await tenantQueries.get(applicationId, domain_url);
        const { platform: slot } = tenant;
        const access = slot === 'manual' ? 'none_held' : await endAccess(name, slot);
        const { tenant: now } = await tenantQueries.get(applicationId, domain_url);
        const { status, statusReason = null } = now;
        return {
          data: { ...referenceTo(now, slots), status, status_reason: statusReason, access },
        };
      },
      storeProblems: ({ caller: { applicationId }, input }) =>
        tenantQueries.problemsOf(applicationId, input),
    },
    { log, metrics },
  );
};
