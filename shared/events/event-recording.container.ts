// Wires the recording of events.

import * as z from 'zod/mini';
import { openDueWork } from '../background/due-index.store.ts';
import { openInvoker } from '../endpoint/invoker.ts';
import { readEnvironment } from '../environment.ts';
import { Slots } from '../platforms/slots.ts';
import { openTable, type Table } from '../table/table.ts';
import { openTelemetry } from '../telemetry.container.ts';
import type { Telemetry } from '../telemetry.ts';
import { type EventRecording, openEventRecording } from './event-recording.service.ts';
import { openFeedRecording } from './feed-recording.store.ts';
import { openHeldChanges } from './held-changes.store.ts';
import { openWebhooks } from './webhooks.store.ts';

export const openEventRecordingOf = (
  table: Table,
  tools: Telemetry & { slots: Slots; clock: () => Date },
): EventRecording =>
  openEventRecording({
    ...tools,
    feedRecording: openFeedRecording(table, tools),
    heldChanges: openHeldChanges(table),
    dueWork: openDueWork(table),
  });

/** The dependencies of the functions that record events and start deliveries. */
export const openRecordingFunction = (functionName: string) => {
  const { TABLE_NAME, PLATFORMS, DELIVER_EVENTS_FUNCTION } = readEnvironment({
    TABLE_NAME: z.string(),
    PLATFORMS: Slots,
    DELIVER_EVENTS_FUNCTION: z.string(),
  });
  const table = openTable(TABLE_NAME);
  const tools = { ...openTelemetry(functionName), slots: PLATFORMS, clock: () => new Date() };
  return {
    ...tools,
    table,
    webhooks: openWebhooks(table),
    deliver: openInvoker(DELIVER_EVENTS_FUNCTION),
    eventRecording: openEventRecordingOf(table, tools),
  };
};
