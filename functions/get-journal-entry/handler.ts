// Shows one journal entry.

import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { viewOf } from '#shared/entries/journal-entry.view.ts';
import type { EntryQueries } from '#shared/entries/lists/entry-queries.service.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & { entryQueries: Pick<EntryQueries, 'get'> };

export const createHandler = ({ entryQueries, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ tenant, input: { domain_url: _, ...entryName } }) => {
        const { entry, stuck } = await entryQueries.get(tenant, entryName);
        return { data: viewOf(entry, { stuck }) };
      },
    },
    tools,
  );
