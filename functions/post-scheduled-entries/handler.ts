// Posts the scheduled entries whose accrual date has come, however many runs were missed. Those of
// a suspended application stay due until it is resumed.

import { dateOf } from '#shared/domain/dates.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { type Applications, openSuspensions } from '#shared/store/applications.ts';
import type { EntryAddress, JournalEntries } from '#shared/store/journal-entries.ts';
import { tenantNameOf } from '#shared/store/keys.ts';
import { createScheduleHandler } from '#shared/triggers/schedule.ts';

export type Dependencies = {
  applications: Pick<Applications, 'find'>;
  journalEntries: Pick<JournalEntries, 'listDue' | 'post'>;
  clock: () => Date;
  log: Log;
  metrics: Metrics;
};

/** Entries posted at the same time; more would only contend for the same partitions. */
const concurrency = 8;

/** A run stops this long before its end; what is left is due in the next run as well. */
const reserveMilliseconds = 10_000;

export const createHandler = (dependencies: Dependencies) => {
  const { applications, journalEntries, clock, log, metrics } = dependencies;
  return createScheduleHandler(
    async ({ scheduledFor, remainingMilliseconds }) => {
      const isSuspended = openSuspensions(applications);
      const summary = { posted: 0, posted_before: 0, suspended: 0, failed: 0, stopped_early: 'no' };
      const fail = (key: EntryAddress, error: unknown): void => {
        // One entry that cannot be posted must not hold up the others.
        summary.failed += 1;
        log.error('entry not posted', { key, error });
      };
      const isWaiting = (key: EntryAddress): Promise<boolean> => {
        const owner = tenantNameOf(key);
        if (owner === undefined) throw new Error('a due entry belongs to no tenant');
        return isSuspended(owner.applicationId);
      };
      async function* listPostable(): AsyncGenerator<EntryAddress> {
        for await (const key of journalEntries.listDue(dateOf(scheduledFor))) {
          if (remainingMilliseconds() < reserveMilliseconds) {
            summary.stopped_early = 'yes';
            return;
          }
          try {
            if (await isWaiting(key)) summary.suspended += 1;
            else yield key;
          } catch (error) {
            fail(key, error);
          }
        }
      }
      const due = listPostable();
      const post = async (key: EntryAddress): Promise<void> => {
        try {
          const flipped = await journalEntries.post(key, clock().toISOString());
          summary[flipped ? 'posted' : 'posted_before'] += 1;
        } catch (error) {
          fail(key, error);
        }
      };
      const work = async (): Promise<void> => {
        for await (const key of due) await post(key);
      };
      try {
        await Promise.all(Array.from({ length: concurrency }, work));
      } finally {
        metrics.dueEntriesTried(summary);
      }
      if (summary.failed > 0) throw new Error(`${summary.failed} due entries were not posted`);
      return summary;
    },
    { log, metrics },
  );
};
