// Entry point of delete-webhook.

import { openApi } from '#shared/endpoint/api.container.ts';
import { withWebhooks } from '#shared/events/webhooks.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(withWebhooks(openApi('delete-webhook', {})));
