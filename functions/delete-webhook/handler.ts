// Removes a webhook of the calling application.

import { createApiHandler } from '#shared/endpoint/api.ts';
import { ApiError } from '#shared/errors.ts';
import type { WebhookStore } from '#shared/events/webhooks.store.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = Telemetry & { webhooks: Pick<WebhookStore, 'remove'> };

export const createHandler = ({ webhooks, ...telemetry }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input: { webhook_id: webhookId } }) => {
        const removed = await webhooks.remove({ applicationId, webhookId });
        if (removed === 'not_found') throw new ApiError('webhook_not_found');
        return { data: { webhook_id: webhookId, deleted: true as const } };
      },
    },
    telemetry,
  );
