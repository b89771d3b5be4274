// Creates a webhook with a new secret. It gets the events after the end of the feed.

import type { Sealing } from '../sealing.ts';
import { webhookSealBinding } from '../table/event-keys.ts';
import type { Feed } from './feed.store.ts';
import { newWebhookSecret } from './webhook-signature.ts';
import type { WebhookStore } from './webhooks.store.ts';
import { newDelivery, type Webhook } from './webhooks.ts';

const idBytes = 12;

export type WebhookCreation = {
  webhooks: Pick<WebhookStore, 'add'>;
  feed: Pick<Feed, 'latestOf'>;
  webhookSealing: Pick<Sealing, 'seal'>;
  random: (size: number) => Uint8Array;
  clock: () => Date;
};

export const createWebhook = async (
  { webhooks, feed, webhookSealing, random, clock }: WebhookCreation,
  applicationId: string,
  fields: Pick<Webhook, 'url' | 'description' | 'types' | 'tenants'>,
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
  };
  const deliveredThrough = await feed.latestOf(applicationId);
  const outcome = await webhooks.add(applicationId, webhook, { deliveredThrough, now });
  return { outcome, webhook, secret, delivery: newDelivery(deliveredThrough) };
};
