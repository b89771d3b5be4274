// Entry point of test-webhook.

import { openDeliveriesOf, sealingSettings } from '#shared/events/deliveries.container.ts';
import { sendingSettings } from '#shared/events/webhook-sending.container.ts';
import { openWebhooksApi } from '#shared/events/webhooks.container.ts';
import { createHandler } from './handler.ts';

const api = openWebhooksApi('test-webhook', { ...sealingSettings, ...sendingSettings });

export const handler = createHandler({
  ...api,
  deliveries: openDeliveriesOf(api.table, api.environment, api.clock),
});
