// Cancels a scheduled journal entry.

import { replayedHeader } from '#shared/endpoint/replay.view.ts';
import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { viewOf } from '#shared/entries/journal-entry.view.ts';
import type { Cancellations } from '#shared/entries/schedule/cancellations.service.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & { cancellations: Cancellations };

export const createHandler = ({ cancellations, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ tenant, caller: { keyId }, input: { domain_url: _, ...entryName } }) => {
        const { entry, replayed } = await cancellations.cancel(tenant, { keyId, ...entryName });
        const data = { ...viewOf(entry), replayed };
        if (!replayed) return { data };
        tools.metrics.replayed();
        return { data, headers: replayedHeader };
      },
    },
    tools,
  );
