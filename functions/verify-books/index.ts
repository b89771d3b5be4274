// Entry point of verify-books.

import { setTimeout as sleep } from 'node:timers/promises';
import { openAlteredItems } from '#shared/authentication/altered-items.ts';
import { openBackground } from '#shared/background/background.container.ts';
import { openRecordedBooks } from '#shared/operator/recorded-books.store.ts';
import { openRecordedTotals } from '#shared/operator/recorded-totals.store.ts';
import { openVerifications } from '#shared/verification/verifications.store.ts';
import { createHandler } from './handler.ts';

const altered = openAlteredItems();
const background = openBackground('verify-books', {}, { onAltered: altered.add });

export const handler = createHandler({
  ...background,
  verifications: openVerifications(background.table),
  books: openRecordedBooks(background.table, altered),
  recordedTotals: async () => openRecordedTotals(background.table),
  sleep,
});
