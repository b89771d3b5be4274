// Exports a tenant's books as an archive, page by page.

import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { ApiError } from '#shared/errors.ts';
import { noSeal } from '#shared/exports/archive-parts.ts';
import { shownFieldsOf } from '#shared/history/tenant-history.ts';
import { dateOf } from '#shared/money/dates.ts';
import { settingsOf } from '#shared/tenants/tenants.ts';
import { beginningOf, openArchives } from './read-archive.ts';
import type { ArchiveStores } from './read-steps.ts';
import { cursors, Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & {
  archiveStores: ArchiveStores;
  clock: () => Date;
};

export const createHandler = ({ archiveStores, clock, ...tools }: Dependencies) => {
  const archives = openArchives(archiveStores);
  return createTenantApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ tenant: name, input }) => {
        const cursor = cursors.positionOf(input);
        const [tenant] = await tools.tenants.findMany([name]);
        if (tenant === undefined) throw new ApiError('tenant_not_found');
        const to = input.to ?? dateOf(clock());
        const shown = {
          made_at: clock().toISOString(),
          to,
          tenant_domain_url: tenant.prefix,
          ...shownFieldsOf(settingsOf(tenant)),
        };
        const start = { step: 'changes', to, seal: noSeal } as const;
        const { parts, next } = await archives.readPage(
          { name, tenant },
          {
            beginning: cursor === undefined ? beginningOf(tenant, shown) : [],
            position: cursor ?? start,
          },
        );
        return { data: { parts, next_cursor: cursors.next(input, next) } };
      },
    },
    tools,
  );
};
