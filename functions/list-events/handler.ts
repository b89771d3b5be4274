// Lists the events of the calling application, after a sequence.

import { createApiHandler } from '#shared/endpoint/api.ts';
import type { TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { ApiError } from '#shared/errors.ts';
import { eventViewOf } from '#shared/events/event.view.ts';
import { type EventFilter, passesEventFilter } from '#shared/events/event-filter.ts';
import { type Feed, feedPartOf } from '#shared/events/feed.store.ts';
import { prefixOfSchema, tenantNameFrom } from '#shared/tenants/domain-names.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & { feed: Pick<Feed, 'read'> };

/** The maximum number of events that a page with a filter examines. */
const filteredWindow = 1_000;

export const createHandler = ({ feed, baseDomain, tenants, ...telemetry }: Dependencies) => {
  /** @throws ApiError `tenant_not_found` */
  const tenantPrefixOf = async (domainUrl: string, applicationId: string): Promise<string> => {
    const name = tenantNameFrom(domainUrl, { applicationId, baseDomain });
    if (name === undefined || (await tenants.findMany([name])).length === 0) {
      throw new ApiError('tenant_not_found');
    }
    return prefixOfSchema(name.schemaName);
  };

  const readFeed = async (applicationId: string, after: number, window: number) =>
    feedPartOf(await feed.read(applicationId, { after, window }), '/after');

  return createApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input }) => {
        const { after, limit, types, domain_url: domainUrl } = input;
        const isFiltered = types !== undefined || domainUrl !== undefined;
        const [tenant, { events, examined, latest }] = await Promise.all([
          domainUrl === undefined ? undefined : tenantPrefixOf(domainUrl, applicationId),
          readFeed(applicationId, after, isFiltered ? filteredWindow : limit),
        ]);
        const filter: EventFilter = { types, tenants: tenant === undefined ? undefined : [tenant] };
        const matching = events.filter((event) => passesEventFilter(event, filter));
        const shown = matching.slice(0, limit);
        const nextAfter =
          matching.length > shown.length ? (shown.at(-1)?.sequence ?? after) : examined;
        return {
          data: {
            events: shown.map(eventViewOf),
            next_after: nextAfter,
            has_more: nextAfter < latest,
            latest_sequence: latest,
          },
        };
      },
    },
    telemetry,
  );
};
