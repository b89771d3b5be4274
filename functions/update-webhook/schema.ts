// What update-webhook accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { eventTypeArray } from '#shared/events/event-type-fields.ts';
import { exampleWebhook, WebhookView } from '#shared/events/webhook.view.ts';
import {
  webhookDescription,
  webhookId,
  webhookTenants,
  webhookUrl,
} from '#shared/events/webhook-fields.ts';

const changes = {
  url: z.optional(webhookUrl),
  types: z.optional(eventTypeArray),
  tenants: z.optional(webhookTenants),
  description: z.optional(webhookDescription),
  status: z
    .optional(z.enum(['active', 'disabled']))
    .check(z.describe('`active` enables a disabled webhook again.')),
  deliver_from: z
    .optional(z.int().check(z.gte(1)))
    .check(z.describe('Deliver the events from this sequence on, again if need be.')),
};

export const changeable = Object.keys(changes);

export const Request = z.strictObject({ webhook_id: webhookId, ...changes });

export const Data = WebhookView;

export const documentation: EndpointDocumentation = {
  summary: 'Update webhook',
  description: `Changes the fields that you send. A webhook that is enabled again continues after
\`delivered_through\`. If it is failing, the status \`active\` or a new \`url\` ends the wait. With
\`deliver_from\`, it goes back or forward to a sequence. If that event is older than 90 days, the
reply is \`events_expired\` with the first sequence that can be delivered.`,
  errors: ['webhook_not_found', 'events_expired'],
  examples: [
    {
      name: 'Replay all events',
      request: { webhook_id: exampleWebhook.webhook_id, deliver_from: 1 },
      data: { ...exampleWebhook, delivered_through: 0 },
    },
  ],
};
