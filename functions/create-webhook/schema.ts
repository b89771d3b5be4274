// What create-webhook accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { replayedField } from '#shared/endpoint/replay.view.ts';
import { eventTypeArray } from '#shared/events/event-type-fields.ts';
import { exampleWebhook, WebhookView } from '#shared/events/webhook.view.ts';
import { webhookDescription, webhookTenants, webhookUrl } from '#shared/events/webhook-fields.ts';

export const Request = z.strictObject({
  url: webhookUrl,
  types: z.optional(eventTypeArray),
  tenants: z.optional(webhookTenants),
  description: z.optional(webhookDescription),
});

export const Data = z.extend(WebhookView, {
  secret: z
    .nullable(z.string())
    .check(
      z.describe(
        'The secret of the signatures. Null in a repeat after 24 hours or after a rotation.',
      ),
    ),
  replayed: replayedField,
});
z.globalRegistry.add(Data, { id: 'NewWebhook', description: 'A webhook with its new secret.' });

export const documentation: EndpointDocumentation = {
  summary: 'Create webhook',
  description: `Creates an address that gets the events of your application as they are recorded, at
most five of them. It starts with the next event. Store \`secret\`: no other request shows it. If
you get no reply, repeat the request with the same \`Idempotency-Key\`.

Each delivery is a POST with one event of the feed as JSON. Reply with a 2xx status within 15
seconds. Deliveries are signed as [Standard Webhooks](https://www.standardwebhooks.com) says, with
the headers \`webhook-id\` (the \`event_id\`), \`webhook-timestamp\` and
\`webhook-signature\`. Verify them with its libraries.

An event is delivered at least once: ignore it if you know its \`webhook-id\`. Deliveries start in
the order of \`sequence\`, up to ten at the same time, so a later event can arrive first.

- If your endpoint fails (no reply, 408, 429 or 5xx), all deliveries wait: about 1 minute, then 5,
  30, and up to 12 hours. A \`Retry-After\` of up to an hour counts. Nothing is skipped.
- With any other status, only this event is parked and tried again, for 75 hours.
- A 410, or five days without a success, disables the webhook.

The feed has what a webhook missed: call list-events, or update-webhook with \`deliver_from\`.

\`url\` must be https on port 443. Redirects are not followed. A name is refused, also at each
delivery, if one of its addresses is not public.`,
  errors: ['webhooks_forbidden', 'idempotency_key_reused'],
  requestHeaders: {
    'Idempotency-Key':
      'Optional: 1 to 255 visible ASCII characters, unique among the webhooks of your ' +
      'application. While the webhook exists, a repeat with the same key creates nothing and ' +
      'returns it, for 24 hours with its secret. If its content differs, it is refused as ' +
      'idempotency_key_reused.',
  },
  replyHeaders: {
    'Idempotent-Replayed':
      '`true` if an earlier request with this Idempotency-Key created the webhook.',
  },
  examples: [
    {
      name: 'The posted entries of all tenants',
      request: {
        url: 'https://app.example.com/ledger-events',
        types: ['journal_entry.posted', 'journal_entry.reversed'],
        description: 'Invoicing',
      },
      data: {
        ...exampleWebhook,
        last_attempt: null,
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
        replayed: false,
      },
    },
  ],
};
