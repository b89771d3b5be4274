// Sends a test event to a webhook, and says what came of it.

import { createApiHandler } from '#shared/endpoint/api.ts';
import { ApiError } from '#shared/errors.ts';
import type { Deliveries } from '#shared/events/deliveries.service.ts';
import { attemptViewOf } from '#shared/events/webhook.view.ts';
import type { WebhookStore } from '#shared/events/webhooks.store.ts';
import { verdictOn } from '#shared/events/webhooks.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = Telemetry & {
  webhooks: Pick<WebhookStore, 'readDelivery'>;
  deliveries: Pick<Deliveries, 'test'>;
  random: (size: number) => Uint8Array;
};

const idBytes = 16;

export const createHandler = ({ webhooks, deliveries, random, ...telemetry }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input: { webhook_id: webhookId } }) => {
        const name = { applicationId, webhookId };
        const read = await webhooks.readDelivery(name);
        if (read === undefined) throw new ApiError('webhook_not_found');
        if (read.isForbidden) throw new ApiError('webhooks_forbidden');
        const id = `evt_test_${Buffer.from(random(idBytes)).toString('base64url')}`;
        const attempt = await deliveries.test(name, read.webhook, id);
        return {
          data: {
            webhook_id: webhookId,
            event_id: id,
            delivered: verdictOn(attempt.status) === 'delivered',
            attempt: attemptViewOf(attempt),
          },
        };
      },
    },
    telemetry,
  );
