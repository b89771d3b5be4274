// Entry point of resume-deliveries.

import * as z from 'zod/mini';
import { openInvoker } from '#shared/endpoint/invoker.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openWebhooks } from '#shared/events/webhooks.store.ts';
import { openTable } from '#shared/table/table.ts';
import { openTelemetry } from '#shared/telemetry.container.ts';
import { createHandler } from './handler.ts';

const { TABLE_NAME, DELIVER_EVENTS_FUNCTION } = readEnvironment({
  TABLE_NAME: z.string(),
  DELIVER_EVENTS_FUNCTION: z.string(),
});
const table = openTable(TABLE_NAME);

export const handler = createHandler({
  ...openTelemetry('resume-deliveries'),
  table,
  webhooks: openWebhooks(table),
  deliver: openInvoker(DELIVER_EVENTS_FUNCTION),
  clock: () => new Date(),
});
