// Entry point of verify-books.

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { openApplications } from '#shared/applications/applications.store.ts';
import { openAlteredItems } from '#shared/authentication/altered-items.ts';
import { openKeyedAuthenticators } from '#shared/authentication/authenticators.container.ts';
import { openDueWork } from '#shared/background/due-index.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openRecordedBooks } from '#shared/operator/recorded-books.store.ts';
import { openRecordedTotals } from '#shared/operator/recorded-totals.store.ts';
import { openTable } from '#shared/table/table.ts';
import { openTelemetry } from '#shared/telemetry.container.ts';
import { openVerifications } from '#shared/verification/verifications.store.ts';
import { createHandler } from './handler.ts';

const { TABLE_NAME, AUTHENTICATOR_SECRET } = readEnvironment({
  TABLE_NAME: z.string(),
  AUTHENTICATOR_SECRET: z.string(),
});
const altered = openAlteredItems();
const authenticators = openKeyedAuthenticators(AUTHENTICATOR_SECRET, { onAltered: altered.add });
const table = openTable(TABLE_NAME, {}, { authenticators });

export const handler = createHandler({
  applications: openApplications(table),
  dueWork: openDueWork(table),
  verifications: openVerifications(table),
  books: openRecordedBooks(table, altered),
  recordedTotals: async () => openRecordedTotals(table),
  clock: () => new Date(),
  sleep,
  ...openTelemetry('verify-books'),
});
