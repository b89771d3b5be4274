// Creates a webhook of the calling application.

import { createApiHandler } from '#shared/endpoint/api.ts';
import { ApiError, problem } from '#shared/errors.ts';
import { webhookViewOf } from '#shared/events/webhook.view.ts';
import { createWebhook, type WebhookCreation } from '#shared/events/webhook-creation.service.ts';
import type { WebhookRequests } from '#shared/events/webhook-requests.service.ts';
import { maximumWebhooks } from '#shared/events/webhooks.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = Telemetry & WebhookCreation & { webhookRequests: WebhookRequests };

export const createHandler = ({ webhookRequests, log, metrics, ...creation }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      isIdempotent: () => false,
      handle: async ({ caller: { applicationId }, input }) => {
        const tenants = await webhookRequests.check(applicationId, input);
        const { outcome, webhook, secret, delivery } = await createWebhook(
          creation,
          applicationId,
          {
            url: input.url,
            description: input.description ?? null,
            types: input.types ?? null,
            tenants: tenants ?? null,
          },
        );
        if (outcome === 'forbidden') throw new ApiError('webhooks_forbidden');
        if (outcome === 'too_many') {
          throw new ApiError('validation_failed', {
            details: [problem('webhook_quota_reached', '', { maximum: maximumWebhooks })],
          });
        }
        return { data: { ...webhookViewOf(webhook, delivery), secret } };
      },
    },
    { log, metrics },
  );
