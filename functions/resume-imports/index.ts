// Entry point of resume-imports.

import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { openImports } from '#shared/store/imports.ts';
import { openTable } from '#shared/store/table.ts';
import { createHandler } from './handler.ts';

const { TABLE_NAME } = readEnvironment({ TABLE_NAME: z.string() });

export const handler = createHandler({
  imports: openImports(openTable(TABLE_NAME)),
  ...openObservability('resume-imports'),
});
