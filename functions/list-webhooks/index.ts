// Entry point of list-webhooks.

import { openApi } from '#shared/endpoint/api.container.ts';
import { withWebhooks } from '#shared/events/webhooks.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(withWebhooks(openApi('list-webhooks', {})));
