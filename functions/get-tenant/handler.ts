// Shows a tenant.

import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { ApiError } from '#shared/errors.ts';
import type { Slots } from '#shared/platforms/slots.ts';
import { summaryOf } from '#shared/tenants/tenant.view.ts';
import type { TenantReader } from '#shared/tenants/tenant-links.store.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & { tenants: TenantReader; slots: Slots };

export const createHandler = ({ slots, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ tenant: name }) => {
        const tenant = await tools.tenants.find(name);
        if (tenant === undefined) throw new ApiError('tenant_not_found');
        return { data: summaryOf(tenant, slots) };
      },
    },
    tools,
  );
