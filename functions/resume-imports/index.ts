// Entry point of resume-imports.

import * as z from 'zod/mini';
import { openApplications } from '#shared/applications/applications.store.ts';
import { openDueWork } from '#shared/background/due-index.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import { openObservability } from '#shared/observability.ts';
import { openTable } from '#shared/table/table.ts';
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
