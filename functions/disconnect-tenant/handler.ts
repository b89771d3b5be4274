// Revokes a tenant's access at its platform and deletes its tokens.

import {
  type DisconnectionDependencies,
  openDisconnection,
  RenewedMeanwhile,
} from '#shared/connections/disconnection.service.ts';
import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { ApiError } from '#shared/errors.ts';
import type { TenantHistory } from '#shared/history/tenant-history.store.ts';
import { byKey } from '#shared/history/tenant-history.ts';
import type { TenantImports } from '#shared/imports/tenant-imports.store.ts';
import { apiErrorOfOurAccess } from '#shared/platforms/error-codes.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { Slots } from '#shared/platforms/slots.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { referenceTo } from '#shared/tenants/tenant.view.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = DisconnectionDependencies &
  TenantEndpointTools & {
    tenantImports: TenantImports;
    history: Pick<TenantHistory, 'recordWith'>;
    platforms: Platforms;
    slots: Slots;
  };

/** The error of a request that left the tokens stored. */
const refusalOf = (error: unknown): unknown => {
  if (error instanceof RenewedMeanwhile)
    return new ApiError('contention', { retryAfterSeconds: 1 });
  return error instanceof PlatformFailure ? apiErrorOfOurAccess(error) : error;
};

export const createHandler = (dependencies: Dependencies) => {
  const { tenantImports, platforms, slots, history, clock } = dependencies;

  const endAccess = async (
    name: TenantName,
    { slot, keyId }: { slot: keyof Slots; keyId: string },
  ) => {
    const disconnection = openDisconnection(dependencies, {
      reason: 'disconnected_by_application',
      writeWith: (change) => (actions) => {
        const at = clock().toISOString();
        return history.recordWith(name, actions, { change: { ...byKey(keyId), at, ...change } });
      },
    });
    // giveBack reads the connection again, because the tokens may change until then.
    if ((await dependencies.connections.find(name)) === undefined) return 'none_held';
    const platform = await platforms.get(slot);
    await disconnection.endImport(name);
    return disconnection.giveBack(name, platform).catch((error: unknown): never => {
      throw refusalOf(error);
    });
  };

  return createTenantApiHandler(
    {
      from: 'body',
      isPatient: true,
      request: Request,
      data: Data,
      handle: async ({ caller: { keyId }, tenant: name }) => {
        const { platform: slot } = (await tenantImports.get(name)).tenant;
        const access = slot === 'manual' ? 'none_held' : await endAccess(name, { slot, keyId });
        const { tenant } = await tenantImports.get(name);
        const { status, statusReason = null } = tenant;
        return {
          data: { ...referenceTo(tenant, slots), status, status_reason: statusReason, access },
        };
      },
    },
    dependencies,
  );
};
