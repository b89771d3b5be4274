// The weekly verification of all tenants that are due.

import { createHandler } from '#functions/verify-books/handler.ts';
import { openApplications } from '#shared/applications/applications.store.ts';
import { openAlteredItems } from '#shared/authentication/altered-items.ts';
import { openAuthenticators } from '#shared/authentication/authenticators.ts';
import { openDueWork } from '#shared/background/due-index.store.ts';
import { openRecordedBooks } from '#shared/operator/recorded-books.store.ts';
import { openRecordedTotals } from '#shared/operator/recorded-totals.store.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { openVerifications } from '#shared/verification/verifications.store.ts';
import { fixedSecret, testAuthenticatorKeys } from '../builders/secrets.ts';
import { lambdaContext } from '../events/lambda-events.ts';
import { keepLog } from '../recorders/log.ts';
import { keepMetrics } from '../recorders/metrics.ts';

/** A table that remembers altered items, as the function has it. */
export const openVerifiedTable = (place: { tableName: string; endpoint: string }) => {
  const altered = openAlteredItems();
  const keys = fixedSecret(testAuthenticatorKeys);
  const authenticators = openAuthenticators(keys, { onAltered: altered.add });
  const table = openTable(place.tableName, { endpoint: place.endpoint }, { authenticators });
  return { table, altered };
};

/** Verifies everything that is due by the end of time, at a time of the clock. */
export const openVerifying = (
  table: Table,
  { altered = openAlteredItems(), log = keepLog(), metrics = keepMetrics() } = {},
) => {
  const run = (now: string) =>
    createHandler({
      log,
      metrics,
      applications: openApplications(table),
      dueWork: openDueWork(table),
      verifications: openVerifications(table),
      books: openRecordedBooks(table, altered),
      recordedTotals: async () => openRecordedTotals(table),
      clock: () => new Date(now),
      sleep: async () => {},
      concurrency: 1,
    });
  return (now: string) => run(now)({ time: '2999-01-01T00:05:00.000Z' }, lambdaContext(300_000));
};
