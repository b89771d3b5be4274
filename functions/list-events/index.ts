// Entry point of list-events.

import { openTenantApi } from '#shared/endpoint/tenant-api.container.ts';
import { openFeed } from '#shared/events/feed.store.ts';
import { createHandler } from './handler.ts';

const api = openTenantApi('list-events', {});

export const handler = createHandler({ ...api, feed: openFeed(api.table, api) });
