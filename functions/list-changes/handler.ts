// Lists the changes of a tenant's accounts, settings, lock and links.

import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { ApiError } from '#shared/errors.ts';
import type { TenantHistory } from '#shared/history/tenant-history.store.ts';
import { contentOfChange } from '#shared/history/tenant-history.ts';
import { cursors, Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & { history: Pick<TenantHistory, 'listPage'> };

export const createHandler = ({ history, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ tenant, input }) => {
        const after = cursors.positionOf(input)?.sequence;
        const [found, { changes, next }] = await Promise.all([
          tools.tenants.findMany([tenant]),
          history.listPage(tenant, {
            limit: input.limit,
            after,
            isDescending: input.order === 'desc',
          }),
        ]);
        if (found.length === 0) throw new ApiError('tenant_not_found');
        return {
          data: {
            changes: changes.map((change) => ({ ...contentOfChange(change), hash: change.hash })),
            next_cursor: cursors.next(input, next === undefined ? undefined : { sequence: next }),
          },
        };
      },
    },
    tools,
  );
