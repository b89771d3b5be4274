// Creates a webhook of the calling application.

import type * as z from 'zod/mini';
import { type ApiReply, createApiHandler } from '#shared/endpoint/api.ts';
import { replayedHeader } from '#shared/endpoint/replay.view.ts';
import { ApiError, problem, throwIfProblems } from '#shared/errors.ts';
import { webhookViewOf } from '#shared/events/webhook.view.ts';
import {
  type Creation,
  createWebhook,
  creationOf,
  firstSecretOf,
  type WebhookCreation,
} from '#shared/events/webhook-creation.service.ts';
import type { WebhookRequests } from '#shared/events/webhook-requests.service.ts';
import type { WebhookStore } from '#shared/events/webhooks.store.ts';
import { maximumWebhooks, newDelivery } from '#shared/events/webhooks.ts';
import { idempotencyKeyHeader, idempotencyKeyProblems } from '#shared/fields.ts';
import type { Sealing } from '#shared/sealing.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = Telemetry &
  WebhookCreation & {
    webhooks: Pick<WebhookStore, 'find' | 'readDelivery'>;
    webhookRequests: WebhookRequests;
    webhookSealing: Pick<Sealing, 'open'>;
  };

export const createHandler = ({ webhookRequests, log, metrics, ...dependencies }: Dependencies) => {
  const { webhooks } = dependencies;

  /** The reply to a repeat, if an earlier request with the same key created a webhook. */
  const findReplay = async (
    applicationId: string,
    { idempotencyKey, request }: Creation,
  ): Promise<ApiReply<z.input<typeof Data>> | undefined> => {
    const webhook = (await webhooks.find(applicationId)).webhooks.find(
      ({ creation }) => creation?.idempotencyKey === idempotencyKey,
    );
    if (webhook === undefined) return undefined;
    if (webhook.creation?.request !== request) throw new ApiError('idempotency_key_reused');
    metrics.replayed();
    const { webhookId } = webhook;
    const [read, secret] = await Promise.all([
      webhooks.readDelivery({ applicationId, webhookId }),
      firstSecretOf(dependencies, applicationId, webhook),
    ]);
    const delivery = read?.delivery ?? newDelivery(0);
    return {
      data: { ...webhookViewOf(webhook, delivery), secret, replayed: true },
      headers: replayedHeader,
    };
  };

  return createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      storeProblems: async ({ header }) => idempotencyKeyProblems(header(idempotencyKeyHeader)),
      // Without an Idempotency-Key, a retry creates a second webhook.
      isIdempotent: ({ header }) => header(idempotencyKeyHeader) !== undefined,
      handle: async ({ caller: { applicationId }, input, header }) => {
        const idempotencyKey = header(idempotencyKeyHeader);
        throwIfProblems(idempotencyKeyProblems(idempotencyKey));
        const creation = creationOf(idempotencyKey, input);
        const replay = creation && (await findReplay(applicationId, creation));
        if (replay) return replay;
        const tenants = await webhookRequests.check(applicationId, input);
        const { outcome, webhook, secret, delivery } = await createWebhook(
          dependencies,
          applicationId,
          {
            url: input.url,
            description: input.description ?? null,
            types: input.types ?? null,
            tenants: tenants ?? null,
            creation,
          },
        );
        const simultaneous =
          outcome === 'exists' && creation && (await findReplay(applicationId, creation));
        if (simultaneous) return simultaneous;
        if (outcome === 'forbidden') throw new ApiError('webhooks_forbidden');
        if (outcome === 'too_many') {
          throw new ApiError('validation_failed', {
            details: [problem('webhook_quota_reached', '', { maximum: maximumWebhooks })],
          });
        }
        return { data: { ...webhookViewOf(webhook, delivery), secret, replayed: false } };
      },
    },
    { log, metrics },
  );
};
