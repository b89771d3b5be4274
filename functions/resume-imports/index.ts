// Entry point of resume-imports.

import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { openApplications } from '#shared/store/applications.ts';
import { openDueWork } from '#shared/store/due-index.ts';
import { openImports } from '#shared/store/imports.ts';
import { openTable } from '#shared/store/table.ts';
import { createHandler } from './handler.ts';

const { TABLE_NAME } = readEnvironment({ TABLE_NAME: z.string() });
const table = openTable(TABLE_NAME);

export const handler = createHandler({
  applications: openApplications(table),
  dueWork: openDueWork(table),
  imports: openImports(table),
  clock: () => new Date(),
  ...openObservability('resume-imports'),
});
