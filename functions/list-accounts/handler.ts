// Lists the accounts of a tenant's chart, page by page.

import { viewOf } from '#shared/accounts/account.view.ts';
import type { TenantCharts } from '#shared/accounts/charts.service.ts';
import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { cursors, Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & { tenantCharts: Pick<TenantCharts, 'list'> };

export const createHandler = ({ tenantCharts, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ tenant, input }) => {
        const { status, type, code, limit } = input;
        const after = cursors.positionOf(input)?.code;
        const query = { status, type, code, limit, after };
        const { accounts, next } = await tenantCharts.list(tenant, query);
        const position = next === undefined ? undefined : { code: next };
        return {
          data: { accounts: accounts.map(viewOf), next_cursor: cursors.next(input, position) },
        };
      },
    },
    tools,
  );
