// Filters of events, for reads of the feed and for webhooks.

import type { EventType, FeedEvent } from './event-types.ts';

/** The types of events, and the domain prefixes of tenants. By default, all. */
export type EventFilter = {
  types?: readonly EventType[] | undefined;
  tenants?: readonly string[] | undefined;
};

/** `feed.restored` passes every filter, because it is about all events of the application. */
export const passesEventFilter = (
  { type, data }: Pick<FeedEvent, 'type' | 'data'>,
  { types, tenants }: EventFilter,
): boolean =>
  type === 'feed.restored' ||
  ((types === undefined || types.includes(type)) &&
    (tenants === undefined || tenants.includes(String(data.tenant_domain_url))));
