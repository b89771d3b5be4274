// Entry point of start-imports.

import * as z from 'zod/mini';
import { openInvoker } from '#shared/endpoint/invoker.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openTelemetry } from '#shared/telemetry.container.ts';
import { createHandler } from './handler.ts';

const { IMPORT_TENANT_DATA_FUNCTION } = readEnvironment({
  IMPORT_TENANT_DATA_FUNCTION: z.string(),
});

export const handler = createHandler({
  startImport: openInvoker(IMPORT_TENANT_DATA_FUNCTION),
  ...openTelemetry('start-imports'),
});
