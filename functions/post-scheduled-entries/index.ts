// Entry point of post-scheduled-entries.

import { openBackground } from '#shared/background/background.container.ts';
import { openDueDates } from '#shared/entries/schedule/due-dates.store.ts';
import { openEarlierDueEntries } from '#shared/entries/schedule/earlier-due-entries.store.ts';
import { openScheduledEntries } from '#shared/entries/schedule/scheduled-entries.store.ts';
import { createHandler } from './handler.ts';

const background = openBackground('post-scheduled-entries', {});

export const handler = createHandler({
  ...background,
  dueDates: openDueDates(background.table),
  earlierDueEntries: openEarlierDueEntries(background.table),
  scheduledEntries: openScheduledEntries(background.table),
});
