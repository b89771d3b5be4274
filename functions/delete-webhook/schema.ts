// What delete-webhook accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { exampleDeletedWebhook } from '#shared/events/webhook.view.ts';
import { webhookId } from '#shared/events/webhook-fields.ts';

export const Request = z.strictObject({ webhook_id: webhookId });

export const Data = z.object({ webhook_id: z.string(), deleted: z.literal(true) });
z.globalRegistry.add(Data, { id: 'DeletedWebhook', description: 'A webhook that was removed.' });

export const documentation: EndpointDocumentation = {
  summary: 'Delete webhook',
  description: `Removes a webhook. A delivery that is under way can still arrive. A repeat gets
\`webhook_not_found\`.`,
  errors: ['webhook_not_found'],
  examples: [
    {
      name: 'Delete a webhook',
      request: { webhook_id: exampleDeletedWebhook },
      data: { webhook_id: exampleDeletedWebhook, deleted: true },
    },
  ],
};
