// Delivers the events of a feed to a webhook.

import * as z from 'zod/mini';
import { createInvocationHandler } from '#shared/endpoint/invocation.ts';
import type { Deliveries } from '#shared/events/deliveries.service.ts';
import type { Telemetry } from '#shared/telemetry.ts';

export type Dependencies = Telemetry & { deliveries: Pick<Deliveries, 'run'> };

const WebhookName = z.object({ applicationId: z.string(), webhookId: z.string() });

export const createHandler = ({ deliveries, ...telemetry }: Dependencies) =>
  createInvocationHandler(
    WebhookName,
    async ({ payload, remainingMilliseconds }) => {
      const { end, delivered, reached } = await deliveries.run(payload, { remainingMilliseconds });
      return {
        outcome: 'success',
        application_id: payload.applicationId,
        webhook_id: payload.webhookId,
        end,
        delivered,
        reached,
      };
    },
    telemetry,
  );
