// The functions of the event feed and of webhooks, as one process has them.

import { randomUUID } from 'node:crypto';
import { createHandler as createWebhookHandler } from '#functions/create-webhook/handler.ts';
import { createHandler as createRemoval } from '#functions/delete-webhook/handler.ts';
import { createHandler as createDelivery } from '#functions/deliver-events/handler.ts';
import { createHandler as createEventsHandler } from '#functions/list-events/handler.ts';
import { createHandler as createWebhooksHandler } from '#functions/list-webhooks/handler.ts';
import { createHandler as createRecordHandler } from '#functions/record-events/handler.ts';
import { createHandler as createResumption } from '#functions/resume-deliveries/handler.ts';
import { createHandler as createRotation } from '#functions/rotate-webhook-secret/handler.ts';
import { createHandler as createTestHandler } from '#functions/test-webhook/handler.ts';
import { createHandler as createUpdate } from '#functions/update-webhook/handler.ts';
import type { TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { openDeliveries } from '#shared/events/deliveries.service.ts';
import { openEventRecordingOf } from '#shared/events/event-recording.container.ts';
import { openFeed } from '#shared/events/feed.store.ts';
import { openWebhookRequests } from '#shared/events/webhook-requests.service.ts';
import type { WebhookSending } from '#shared/events/webhook-sending.service.ts';
import { openWebhooks } from '#shared/events/webhooks.store.ts';
import type { Slots } from '#shared/platforms/slots.ts';
import type { Sealing } from '#shared/sealing.ts';
import type { WebhookName } from '#shared/table/event-keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { openTenantReader } from '#shared/tenants/tenant-links.store.ts';

type Tools = TenantEndpointTools & {
  table: Table;
  tenants: ReturnType<typeof openTenantReader>;
  sealing: Sealing;
  sending: WebhookSending;
  deliver: (name: WebhookName) => Promise<void>;
  slots: Slots;
  random: (size: number) => Uint8Array;
  clock: () => Date;
};

export const openEventFunctions = (given: Tools) => {
  const { table, sealing, clock } = given;
  const feed = openFeed(table, { clock });
  const webhooks = openWebhooks(table);
  const deliveries = openDeliveries({
    ...{ webhooks, feed, sealing, clock },
    sending: given.sending,
    chance: () => 0.5,
    newLeaseId: randomUUID,
  });
  const tools = {
    ...given,
    ...{ feed, webhooks, deliveries },
    eventRecording: openEventRecordingOf(table, given),
    webhookRequests: openWebhookRequests(given),
    webhookSealing: sealing,
  };
  return {
    listEvents: createEventsHandler(tools),
    recordEvents: createRecordHandler(tools),
    createWebhook: createWebhookHandler(tools),
    listWebhooks: createWebhooksHandler(tools),
    updateWebhook: createUpdate(tools),
    deleteWebhook: createRemoval(tools),
    rotateWebhookSecret: createRotation(tools),
    testWebhook: createTestHandler(tools),
    deliverEvents: createDelivery(tools),
    resumeDeliveries: createResumption(tools),
  };
};
