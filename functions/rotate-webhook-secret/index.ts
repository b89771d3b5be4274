// Entry point of rotate-webhook-secret.

import { openWebhookSealing, sealingSettings } from '#shared/events/deliveries.container.ts';
import { openWebhooksApi } from '#shared/events/webhooks.container.ts';
import { createHandler } from './handler.ts';

const api = openWebhooksApi('rotate-webhook-secret', sealingSettings);

export const handler = createHandler({
  ...api,
  webhookSealing: openWebhookSealing(api.environment),
});
