// Lists the webhooks of the calling application.

import { createApiHandler } from '#shared/endpoint/api.ts';
import { webhookViewOf } from '#shared/events/webhook.view.ts';
import type { WebhookStore } from '#shared/events/webhooks.store.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = Telemetry & { webhooks: Pick<WebhookStore, 'list'> };

export const createHandler = ({ webhooks, ...telemetry }: Dependencies) =>
  createApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId } }) => {
        const all = await webhooks.list(applicationId);
        return {
          data: {
            webhooks: all.webhooks.map((it) => webhookViewOf(it.webhook, it.delivery)),
            forbidden: all.isForbidden,
          },
        };
      },
    },
    telemetry,
  );
