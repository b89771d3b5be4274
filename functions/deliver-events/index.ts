// Entry point of deliver-events.

import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openDeliveriesOf, sealingSettings } from '#shared/events/deliveries.container.ts';
import { sendingSettings } from '#shared/events/webhook-sending.container.ts';
import { openTable } from '#shared/table/table.ts';
import { openTelemetry } from '#shared/telemetry.container.ts';
import { createHandler } from './handler.ts';

const { TABLE_NAME, ...settings } = readEnvironment({
  TABLE_NAME: z.string(),
  ...sealingSettings,
  ...sendingSettings,
});

export const handler = createHandler({
  ...openTelemetry('deliver-events'),
  deliveries: openDeliveriesOf(openTable(TABLE_NAME), settings, () => new Date()),
});
