// Entry point of post-scheduled-entries.

import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openLog } from '#shared/log.ts';
import { openMetrics } from '#shared/metrics.ts';
import { openJournalEntries } from '#shared/store/journal-entries.ts';
import { openTable } from '#shared/store/table.ts';
import { createHandler } from './handler.ts';

const { TABLE_NAME } = readEnvironment({ TABLE_NAME: z.string() });

export const handler = createHandler({
  journalEntries: openJournalEntries(openTable(TABLE_NAME)),
  clock: () => new Date(),
  log: openLog('post-scheduled-entries'),
  metrics: openMetrics('post-scheduled-entries'),
});
