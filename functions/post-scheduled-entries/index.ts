// Entry point of post-scheduled-entries.

import * as z from 'zod/mini';
import { openApplications } from '#shared/applications/applications.store.ts';
import { openKeyedAuthenticators } from '#shared/authentication/authenticators.container.ts';
import { openDueWork } from '#shared/background/due-index.store.ts';
import { openDueDates } from '#shared/entries/schedule/due-dates.store.ts';
import { openEarlierDueEntries } from '#shared/entries/schedule/earlier-due-entries.store.ts';
import { openScheduledEntries } from '#shared/entries/schedule/scheduled-entries.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openTable } from '#shared/table/table.ts';
import { openTelemetry } from '#shared/telemetry.container.ts';
import { createHandler } from './handler.ts';

const { TABLE_NAME, AUTHENTICATOR_SECRET } = readEnvironment({
  TABLE_NAME: z.string(),
  AUTHENTICATOR_SECRET: z.string(),
});
const authenticators = openKeyedAuthenticators(AUTHENTICATOR_SECRET);
const table = openTable(TABLE_NAME, {}, { authenticators });

export const handler = createHandler({
  applications: openApplications(table),
  dueWork: openDueWork(table),
  dueDates: openDueDates(table),
  earlierDueEntries: openEarlierDueEntries(table),
  scheduledEntries: openScheduledEntries(table),
  clock: () => new Date(),
  ...openTelemetry('post-scheduled-entries'),
});
