// Entry point of rotate-webhook-secret.

import { openApi } from '#shared/endpoint/api.container.ts';
import { openWebhookSealing, sealingSettings } from '#shared/events/deliveries.container.ts';
import { withWebhooks } from '#shared/events/webhooks.container.ts';
import { createHandler } from './handler.ts';

const api = withWebhooks(openApi('rotate-webhook-secret', sealingSettings));

export const handler = createHandler({
  ...api,
  webhookSealing: openWebhookSealing(api.environment),
});
