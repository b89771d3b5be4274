// Shows the progress of a tenant's import and its next step.

import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { tenantImportViewOf } from '#shared/imports/import.view.ts';
import type { TenantImports } from '#shared/imports/tenant-imports.store.ts';
import type { Slots } from '#shared/platforms/slots.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & {
  tenantImports: TenantImports;
  slots: Slots;
  clock: () => Date;
};

export const createHandler = ({ tenantImports, slots, clock, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ tenant }) => {
        const tenantImport = await tenantImports.get(tenant);
        return { data: tenantImportViewOf(tenantImport, { slots, now: clock() }) };
      },
    },
    tools,
  );
