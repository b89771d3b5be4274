// Entry point of reverse-journal-entry.

import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openReversing } from '#shared/ledger/reversing.ts';
import { openObservability } from '#shared/observability.ts';
import { openEntryReversals } from '#shared/store/entry-reversals.ts';
import { openTable } from '#shared/store/table.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({ TABLE_NAME: z.string(), BASE_DOMAIN: z.string() });

export const handler = createHandler({
  reversing: openReversing({
    reversals: openEntryReversals(openTable(environment.TABLE_NAME)),
    baseDomain: environment.BASE_DOMAIN,
    clock: () => new Date(),
  }),
  ...openObservability('reverse-journal-entry'),
});
