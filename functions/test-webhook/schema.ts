// What test-webhook accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { AttemptView, exampleWebhook } from '#shared/events/webhook.view.ts';
import { webhookId } from '#shared/events/webhook-fields.ts';

export const Request = z.strictObject({ webhook_id: webhookId });

export const Data = z.object({
  webhook_id: z.string(),
  event_id: z.string().check(z.describe('The `webhook-id` of the delivery.')),
  delivered: z.boolean().check(z.describe('Whether the reply had a 2xx status.')),
  attempt: AttemptView,
});
z.globalRegistry.add(Data, { id: 'WebhookTest', description: 'What came of a test delivery.' });

export const documentation: EndpointDocumentation = {
  summary: 'Test webhook',
  description: `Sends a signed event of the type \`webhook.test\` at once, also to a disabled
webhook, and returns what came of it. The event is not in the feed: its \`sequence\` is null. The
test changes nothing about the deliveries.`,
  errors: ['webhook_not_found', 'webhooks_forbidden'],
  examples: [
    {
      name: 'An endpoint that works',
      request: { webhook_id: exampleWebhook.webhook_id },
      data: {
        webhook_id: exampleWebhook.webhook_id,
        event_id: 'evt_test_Zm9yIHRoZSBleGFtcGxl',
        delivered: true,
        attempt: { at: '2026-03-24T12:00:01.310Z', status_code: 204, error: null },
      },
    },
  ],
};
