// Changes a webhook, enables or disables it, or replays events.

import { changesIn, problemsOfNoChange } from '#shared/changes.ts';
import { createApiHandler } from '#shared/endpoint/api.ts';
import { ApiError, throwIfProblems } from '#shared/errors.ts';
import { type Feed, feedPartOf } from '#shared/events/feed.store.ts';
import { webhookViewOf } from '#shared/events/webhook.view.ts';
import type { WebhookRequests } from '#shared/events/webhook-requests.service.ts';
import type { WebhookStore } from '#shared/events/webhooks.store.ts';
import { type Delivery, restartedDelivery, type Webhook } from '#shared/events/webhooks.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { changeable, Data, Request } from './schema.ts';

export type Dependencies = Telemetry & {
  webhooks: Pick<WebhookStore, 'change' | 'readDelivery'>;
  webhookRequests: WebhookRequests;
  feed: Pick<Feed, 'read'>;
  clock: () => Date;
};

export const createHandler = ({
  webhooks,
  webhookRequests,
  feed,
  clock,
  ...telemetry
}: Dependencies) => {
  /** @throws ApiError `events_expired` or `validation_failed` if the feed has no such event */
  const assertReadable = async (applicationId: string, deliverFrom: number): Promise<void> => {
    const reading = await feed.read(applicationId, { after: deliverFrom - 1, window: 1 });
    feedPartOf(reading, '/deliver_from');
  };

  return createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input }) => {
        const { webhook_id: webhookId, deliver_from: deliverFrom, status, ...fields } = input;
        const name = { applicationId, webhookId };
        const read = await webhooks.readDelivery(name);
        if (read === undefined) throw new ApiError('webhook_not_found');
        throwIfProblems(
          problemsOfNoChange(changesIn({ ...fields, status, deliverFrom }), changeable),
        );
        const tenants = await webhookRequests.check(applicationId, fields);
        const isStopped = read.webhook.disabledReason !== null || read.delivery.retryAt !== null;
        const starts = isStopped && (status === 'active' || fields.url !== undefined);
        const from = deliverFrom ?? (starts ? read.delivery.deliveredThrough + 1 : undefined);
        if (from !== undefined) await assertReadable(applicationId, from);
        const restart: Delivery | undefined =
          from === undefined ? undefined : restartedDelivery(read.delivery, from - 1);
        const now = clock();
        const edit = (webhook: Webhook): Webhook => ({
          ...webhook,
          ...changesIn({ ...fields, tenants }),
          ...(status === 'active' && { disabledReason: null }),
          ...(status === 'disabled' && { disabledReason: 'disabled_by_application' as const }),
        });
        const changed = await webhooks.change(name, edit, { restart, now });
        if (changed === 'not_found') throw new ApiError('webhook_not_found');
        return { data: webhookViewOf(changed, restart ?? read.delivery) };
      },
    },
    telemetry,
  );
};
