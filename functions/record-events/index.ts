// Entry point of record-events.

import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openFeedRecording } from '#shared/events/feed-recording.store.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openTable } from '#shared/table/table.ts';
import { openTelemetry } from '#shared/telemetry.container.ts';
import { createHandler } from './handler.ts';

const { TABLE_NAME, PLATFORMS } = readEnvironment({ TABLE_NAME: z.string(), PLATFORMS: Slots });

export const handler = createHandler({
  ...openTelemetry('record-events'),
  feedRecording: openFeedRecording(openTable(TABLE_NAME), { clock: () => new Date() }),
  slots: PLATFORMS,
});
