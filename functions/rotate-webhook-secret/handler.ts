// Gives a webhook a new secret. The old one signs for another day.

import { createApiHandler } from '#shared/endpoint/api.ts';
import { ApiError } from '#shared/errors.ts';
import { newWebhookSecret } from '#shared/events/webhook-signature.ts';
import type { WebhookStore } from '#shared/events/webhooks.store.ts';
import { isSigning, rotationMilliseconds } from '#shared/events/webhooks.ts';
import type { Sealing } from '#shared/sealing.ts';
import { webhookSealBinding } from '#shared/table/event-keys.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = Telemetry & {
  webhooks: Pick<WebhookStore, 'change'>;
  webhookSealing: Pick<Sealing, 'seal'>;
  random: (size: number) => Uint8Array;
  clock: () => Date;
};

export const createHandler = ({
  webhooks,
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
      handle: async ({ caller: { applicationId }, input: { webhook_id: webhookId } }) => {
        const name = { applicationId, webhookId };
        const now = clock();
        const secret = newWebhookSecret(random);
        const sealed = await webhookSealing.seal(secret, webhookSealBinding(name));
        const until = new Date(now.getTime() + rotationMilliseconds).toISOString();
        const changed = await webhooks.change(
          name,
          (webhook) => {
            // Two, so that the secret in use signs on if a lost reply makes somebody rotate again.
            const old = webhook.secrets
              .filter((it) => isSigning(it, now))
              .slice(-2)
              .map((it) => ({ ...it, until: it.until ?? until }));
            return { ...webhook, secrets: [...old, { sealed, until: null }] };
          },
          { now },
        );
        if (changed === 'not_found') throw new ApiError('webhook_not_found');
        return { data: { webhook_id: webhookId, secret, old_secret_until: until } };
      },
    },
    telemetry,
  );
