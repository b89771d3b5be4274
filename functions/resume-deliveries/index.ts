// Entry point of resume-deliveries.

import * as z from 'zod/mini';
import { openInvoker } from '#shared/endpoint/invoker.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openEventRecordingOf } from '#shared/events/event-recording.container.ts';
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
const telemetry = openTelemetry('resume-deliveries');
const clock = () => new Date();

export const handler = createHandler({
  ...telemetry,
  table,
  webhooks: openWebhooks(table),
  deliver: openInvoker(DELIVER_EVENTS_FUNCTION),
  eventRecording: openEventRecordingOf(table, { ...telemetry, slots: PLATFORMS, clock }),
  clock,
});
