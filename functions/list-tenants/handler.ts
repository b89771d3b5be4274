// Lists the tenants of the calling application, page by page.

import { createApiHandler } from '#shared/endpoint/api.ts';
import type { Slots } from '#shared/platforms/slots.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { summaryOf } from '#shared/tenants/tenant.view.ts';
import type { TenantReader } from '#shared/tenants/tenant-links.store.ts';
import type { TenantLists } from '#shared/tenants/tenant-lists.store.ts';
import { cursors, Data, Request } from './schema.ts';

export type Dependencies = Telemetry & {
  tenantLists: TenantLists;
  tenants: Pick<TenantReader, 'findMany'>;
  slots: Slots;
};

export const createHandler = ({ tenantLists, tenants, slots, ...telemetry }: Dependencies) =>
  createApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input }) => {
        // A cursor of another application is refused.
        const query = { ...input, applicationId };
        const { names, next } = await tenantLists.list(applicationId, {
          limit: input.limit,
          after: cursors.positionOf(query),
        });
        const listed = await tenants.findMany(names);
        return {
          data: {
            tenants: listed.map((tenant) => summaryOf(tenant, slots)),
            next_cursor: cursors.next(query, next),
          },
        };
      },
    },
    telemetry,
  );
