// Entry point of rotate-webhook-secret.

import {
  openWebhookSealing,
  openWebhooksApi,
  sealingSettings,
} from '#shared/events/webhooks.container.ts';
import { createHandler } from './handler.ts';

const api = openWebhooksApi('rotate-webhook-secret', sealingSettings);

export const handler = createHandler({
  ...api,
  webhookSealing: openWebhookSealing(api.environment),
});
