// Metrics that are kept, for tests that assert them or want none printed.

import type { Metrics, RequestOutcome } from '#shared/telemetry.ts';

/** Records every event in order: its name and its arguments. */
export const keepMetrics = (): Metrics & { events: unknown[][] } => {
  const events: unknown[][] = [];
  const keep =
    (name: keyof Metrics) =>
    (...told: unknown[]): Record<string, unknown> => {
      events.push([name, ...told]);
      return {};
    };
  return {
    events,
    entryAnswered: keep('entryAnswered'),
    replayed: keep('replayed'),
    dueEntriesPosted: keep('dueEntriesPosted'),
    eventsNotRecorded: keep('eventsNotRecorded'),
    workStuck: keep('workStuck'),
    booksDiffer: keep('booksDiffer'),
    importPageRead: keep('importPageRead'),
    importFailed: keep('importFailed'),
    recordsRefused: keep('recordsRefused'),
    tenantDisconnected: keep('tenantDisconnected'),
    importsNotStarted: keep('importsNotStarted'),
    importTurnWait: keep('importTurnWait'),
    rateDaysRefused: keep('rateDaysRefused'),
    rateAge: keep('rateAge'),
    nbpRateAge: keep('nbpRateAge'),
    ended: keep('ended'),
  };
};

/** The event of work that ended, which nothing made try again. */
export const endedWith = (outcome: Pick<RequestOutcome, 'code' | 'status'>) => [
  'ended',
  { contentionRetries: 0, largeSheets: 0, failedCharges: 0, ...outcome },
];
