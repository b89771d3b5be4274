// Entry point of post-scheduled-entries.

import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { openJournalEntries } from '#shared/store/journal-entries.ts';
import { openTable } from '#shared/store/table.ts';
import { createHandler } from './handler.ts';

const { TABLE_NAME } = readEnvironment({ TABLE_NAME: z.string() });

export const handler = createHandler({
  journalEntries: openJournalEntries(openTable(TABLE_NAME)),
  clock: () => new Date(),
  ...openObservability('post-scheduled-entries'),
});
