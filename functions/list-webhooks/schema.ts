// What list-webhooks accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { exampleWebhook, WebhookView } from '#shared/events/webhook.view.ts';

export const Request = z.strictObject({});

export const Data = z.object({
  webhooks: z.array(WebhookView),
  forbidden: z
    .boolean()
    .check(z.describe('Whether the operator has forbidden webhooks: then nothing is delivered.')),
});
z.globalRegistry.add(Data, { id: 'Webhooks', description: 'The webhooks of an application.' });

export const documentation: EndpointDocumentation = {
  summary: 'List webhooks',
  description: `Returns the webhooks of your application, how far their deliveries are, and what
came of the last attempt. The bodies of your replies are not stored.`,
  errors: [],
  examples: [
    { name: 'All webhooks', request: {}, data: { webhooks: [exampleWebhook], forbidden: false } },
  ],
};
