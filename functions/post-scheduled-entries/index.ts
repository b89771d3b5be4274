// Entry point of post-scheduled-entries.

import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { openApplications } from '#shared/store/applications.ts';
import { openScheduledEntries } from '#shared/store/scheduled-entries.ts';
import { openTable } from '#shared/store/table.ts';
import { createHandler } from './handler.ts';

const { TABLE_NAME } = readEnvironment({ TABLE_NAME: z.string() });
const table = openTable(TABLE_NAME);

export const handler = createHandler({
  applications: openApplications(table),
  scheduledEntries: openScheduledEntries(table),
  clock: () => new Date(),
  ...openObservability('post-scheduled-entries'),
});
