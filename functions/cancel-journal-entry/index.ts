// Entry point of cancel-journal-entry.

import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openCancelling } from '#shared/ledger/cancelling.ts';
import { openObservability } from '#shared/observability.ts';
import { openEntryCancellations } from '#shared/store/entry-cancellations.ts';
import { openEntryLookups } from '#shared/store/entry-lookups.ts';
import { openTable } from '#shared/store/table.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({ TABLE_NAME: z.string(), BASE_DOMAIN: z.string() });
const table = openTable(environment.TABLE_NAME);

export const handler = createHandler({
  cancelling: openCancelling({
    cancellations: openEntryCancellations(table),
    lookups: openEntryLookups(table),
    baseDomain: environment.BASE_DOMAIN,
    clock: () => new Date(),
  }),
  ...openObservability('cancel-journal-entry'),
});
