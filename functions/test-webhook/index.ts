// Entry point of test-webhook.

import { openApi } from '#shared/endpoint/api.container.ts';
import { openDeliveriesOf, sealingSettings } from '#shared/events/deliveries.container.ts';
import { sendingSettings } from '#shared/events/webhook-sending.container.ts';
import { withWebhooks } from '#shared/events/webhooks.container.ts';
import { createHandler } from './handler.ts';

const api = withWebhooks(openApi('test-webhook', { ...sealingSettings, ...sendingSettings }));

export const handler = createHandler({
  ...api,
  deliveries: openDeliveriesOf(api.table, api.environment, api.clock),
});
