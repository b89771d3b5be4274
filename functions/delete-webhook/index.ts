// Entry point of delete-webhook.

import { openWebhooksApi } from '#shared/events/webhooks.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openWebhooksApi('delete-webhook', {}));
