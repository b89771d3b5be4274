// Creates a webhook with a new secret. It gets the events after the end of the feed.

import { createHash } from 'node:crypto';
import type { Sealing } from '../sealing.ts';
import { webhookSealBinding } from '../table/event-keys.ts';
import type { Feed } from './feed.store.ts';
import { newWebhookSecret } from './webhook-signature.ts';
import type { WebhookStore } from './webhooks.store.ts';
import { newDelivery, type Webhook } from './webhooks.ts';

const idBytes = 12;

/** How long a repeat of the request shows the secret. */
const secretMilliseconds = 24 * 60 * 60_000;

type WebhookFields = Pick<Webhook, 'url' | 'description' | 'types' | 'tenants'>;

/** The Idempotency-Key of a request, and a hash of the request. */
export type Creation = NonNullable<Webhook['creation']>;

export type WebhookCreation = {
  webhooks: Pick<WebhookStore, 'add'>;
  feed: Pick<Feed, 'latestOf'>;
  webhookSealing: Pick<Sealing, 'seal'>;
  random: (size: number) => Uint8Array;
  clock: () => Date;
};

export const creationOf = (
  idempotencyKey: string | undefined,
  input: object,
): Creation | undefined =>
  idempotencyKey === undefined
    ? undefined
    : {
        idempotencyKey,
        request: createHash('sha256').update(JSON.stringify(input)).digest('base64url'),
      };

export const createWebhook = async (
  { webhooks, feed, webhookSealing, random, clock }: WebhookCreation,
  applicationId: string,
  { creation, ...fields }: WebhookFields & { creation?: Creation | undefined },
) => {
  const now = clock();
  const webhookId = `wh_${Buffer.from(random(idBytes)).toString('base64url')}`;
  const secret = newWebhookSecret(random);
  const sealed = await webhookSealing.seal(
    secret,
    webhookSealBinding({ applicationId, webhookId }),
  );
  const webhook: Webhook = {
    webhookId,
    ...fields,
    disabledReason: null,
    secrets: [{ sealed, until: null }],
    createdAt: now.toISOString(),
    ...(creation && { creation }),
  };
  const deliveredThrough = await feed.latestOf(applicationId);
  const outcome = await webhooks.add(applicationId, webhook, { deliveredThrough, now });
  return { outcome, webhook, secret, delivery: newDelivery(deliveredThrough) };
};

/**
 * The secret of a webhook's creation, for a caller that got no reply. `null` after a day or a
 * rotation, so that somebody who learns an old key does not learn the secret.
 */
export const firstSecretOf = async (
  { webhookSealing, clock }: { webhookSealing: Pick<Sealing, 'open'>; clock: () => Date },
  applicationId: string,
  { webhookId, secrets: [first, ...later], createdAt }: Webhook,
): Promise<string | null> => {
  const age = clock().getTime() - Date.parse(createdAt);
  if (first === undefined || later.length > 0 || age >= secretMilliseconds) return null;
  return webhookSealing.open(first.sealed, webhookSealBinding({ applicationId, webhookId }));
};
