// Requests an import of new and changed data from a tenant's platform.

import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { ApiError } from '#shared/errors.ts';
import { tenantImportViewOf } from '#shared/imports/import.view.ts';
import type { Imports } from '#shared/imports/imports.store.ts';
import type { TenantImports } from '#shared/imports/tenant-imports.store.ts';
import type { Slots } from '#shared/platforms/slots.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & {
  tenantImports: TenantImports;
  imports: Pick<Imports, 'requestChanges'>;
  slots: Slots;
  clock: () => Date;
  newImportId: () => string;
};

export const createHandler = (dependencies: Dependencies) => {
  const { tenantImports, imports, slots, clock, newImportId, ...tools } = dependencies;
  return createTenantApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ tenant: name, caller }) => {
        const { tenant } = await tenantImports.get(name);
        // Tokens can remain if the platform was unreachable during the disconnection.
        if (tenant.status === 'disconnected') throw new ApiError('tenant_not_connected');
        const now = clock();
        const outcome = await imports.requestChanges(name, {
          importId: newImportId(),
          requestedAt: now.toISOString(),
          requestedWithKey: caller.keyId,
          lockDate: tenant.lockDate,
          followPlatformEdits: tenant.followPlatformEdits,
        });
        if (outcome === 'not_connected') throw new ApiError('tenant_not_connected');
        const view = tenantImportViewOf(await tenantImports.get(name), { slots, now });
        return { data: { ...view, requested: outcome === 'requested' } };
      },
    },
    tools,
  );
};
