// Creates a webhook of the calling application.

import { createApiHandler } from '#shared/endpoint/api.ts';
import { ApiError, problem } from '#shared/errors.ts';
import type { Feed } from '#shared/events/feed.store.ts';
import { webhookViewOf } from '#shared/events/webhook.view.ts';
import type { WebhookRequests } from '#shared/events/webhook-requests.service.ts';
import { newWebhookSecret } from '#shared/events/webhook-signature.ts';
import type { WebhookStore } from '#shared/events/webhooks.store.ts';
import { maximumWebhooks, newDelivery, type Webhook } from '#shared/events/webhooks.ts';
import type { Sealing } from '#shared/sealing.ts';
import { webhookSealBinding } from '#shared/table/event-keys.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = Telemetry & {
  webhooks: Pick<WebhookStore, 'add'>;
  webhookRequests: WebhookRequests;
  feed: Pick<Feed, 'latestOf'>;
  webhookSealing: Pick<Sealing, 'seal'>;
  random: (size: number) => Uint8Array;
  clock: () => Date;
};

const idBytes = 12;

export const createHandler = ({
  webhooks,
  webhookRequests,
  feed,
  webhookSealing,
  random,
  clock,
  ...telemetry
}: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      isIdempotent: () => false,
      handle: async ({ caller: { applicationId }, input }) => {
        const tenants = await webhookRequests.check(applicationId, input);
        const now = clock();
        const webhookId = `wh_${Buffer.from(random(idBytes)).toString('base64url')}`;
        const secret = newWebhookSecret(random);
        const binding = webhookSealBinding({ applicationId, webhookId });
        const webhook: Webhook = {
          webhookId,
          url: input.url,
          description: input.description ?? null,
          types: input.types ?? null,
          tenants: tenants ?? null,
          disabledReason: null,
          secrets: [{ sealed: await webhookSealing.seal(secret, binding), until: null }],
          createdAt: now.toISOString(),
        };
        const deliveredThrough = await feed.latestOf(applicationId);
        const outcome = await webhooks.add(applicationId, webhook, { deliveredThrough, now });
        if (outcome === 'forbidden') throw new ApiError('webhooks_forbidden');
        if (outcome === 'too_many') {
          throw new ApiError('validation_failed', {
            details: [problem('webhook_quota_reached', '', { maximum: maximumWebhooks })],
          });
        }
        return { data: { ...webhookViewOf(webhook, newDelivery(deliveredThrough)), secret } };
      },
    },
    telemetry,
  );
