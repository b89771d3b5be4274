// Entry point of list-webhooks.

import { openWebhooksApi } from '#shared/events/webhooks.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openWebhooksApi('list-webhooks', {}));
