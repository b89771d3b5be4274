// Entry point of record-events.

import * as z from 'zod/mini';
import { openInvoker } from '#shared/endpoint/invoker.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openFeedRecording } from '#shared/events/feed-recording.store.ts';
import { openWebhooks } from '#shared/events/webhooks.store.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openTable } from '#shared/table/table.ts';
import { openTelemetry } from '#shared/telemetry.container.ts';
import { createHandler } from './handler.ts';

const { TABLE_NAME, PLATFORMS, DELIVER_EVENTS_FUNCTION } = readEnvironment({
  TABLE_NAME: z.string(),
  PLATFORMS: Slots,
  DELIVER_EVENTS_FUNCTION: z.string(),
});
const table = openTable(TABLE_NAME);
const clock = () => new Date();

export const handler = createHandler({
  ...openTelemetry('record-events'),
  feedRecording: openFeedRecording(table, { clock }),
  webhooks: openWebhooks(table),
  deliver: openInvoker(DELIVER_EVENTS_FUNCTION),
  slots: PLATFORMS,
  clock,
});
