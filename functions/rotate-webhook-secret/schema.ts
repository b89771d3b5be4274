// What rotate-webhook-secret accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { exampleWebhook } from '#shared/events/webhook.view.ts';
import { webhookId } from '#shared/events/webhook-fields.ts';

export const Request = z.strictObject({ webhook_id: webhookId });

export const Data = z.object({
  webhook_id: z.string(),
  secret: z.string().check(z.describe('The new secret. Only this reply has it.')),
  old_secret_until: z.string().check(
    z.meta({
      format: 'date-time',
      description: 'Until then, the old secret signs beside the new one (UTC).',
    }),
  ),
});
z.globalRegistry.add(Data, { id: 'RotatedSecret', description: 'The new secret of a webhook.' });

export const documentation: EndpointDocumentation = {
  summary: 'Rotate webhook secret',
  description: `Gives a webhook a new secret. For 24 hours the deliveries have two signatures, of
the old and of the new secret, separated by a space. The official libraries accept either. If you
get no reply, repeat the request: the secret before both still signs.`,
  errors: ['webhook_not_found'],
  examples: [
    {
      name: 'Rotate the secret',
      request: { webhook_id: exampleWebhook.webhook_id },
      data: {
        webhook_id: exampleWebhook.webhook_id,
        secret: 'whsec_plJ3nmyCDGBKInavdOK15jsl/+cOGBKInavdOK15jsk=',
        old_secret_until: '2026-03-25T12:00:00.000Z',
      },
    },
  ],
};
