// Entry point of post-scheduled-entries.

import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { openApplications } from '#shared/store/applications.ts';
import { openDueDates } from '#shared/store/due-dates.ts';
import { openDueWork } from '#shared/store/due-index.ts';
import { openEarlierDueEntries } from '#shared/store/earlier-due-entries.ts';
import { openScheduledEntries } from '#shared/store/scheduled-entries.ts';
import { openTable } from '#shared/store/table.ts';
import { createHandler } from './handler.ts';

const { TABLE_NAME } = readEnvironment({ TABLE_NAME: z.string() });
const table = openTable(TABLE_NAME);

export const handler = createHandler({
  applications: openApplications(table),
  dueWork: openDueWork(table),
  dueDates: openDueDates(table),
  earlierDueEntries: openEarlierDueEntries(table),
  scheduledEntries: openScheduledEntries(table),
  clock: () => new Date(),
  ...openObservability('post-scheduled-entries'),
});
