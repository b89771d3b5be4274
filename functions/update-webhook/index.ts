// Entry point of update-webhook.

import { openFeed } from '#shared/events/feed.store.ts';
import { openWebhookRequests } from '#shared/events/webhook-requests.service.ts';
import { openSending, sendingSettings } from '#shared/events/webhook-sending.container.ts';
import { openWebhooksApi } from '#shared/events/webhooks.container.ts';
import { createHandler } from './handler.ts';

const api = openWebhooksApi('update-webhook', sendingSettings);
const sending = openSending(api.environment);

export const handler = createHandler({
  ...api,
  webhookRequests: openWebhookRequests({ ...api, sending }),
  feed: openFeed(api.table, api),
});
