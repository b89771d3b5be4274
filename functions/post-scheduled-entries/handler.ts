// Posts the scheduled entries whose accrual date has come, however many runs were missed. Those of
// a suspended application stay due until it is resumed.

import { dateOf } from '#shared/domain/dates.ts';
import { ApiError } from '#shared/errors.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { type Applications, openSuspensions } from '#shared/store/applications.ts';
import { tenantNameOf } from '#shared/store/keys.ts';
import {
  type DueEntry,
  maximumDueEntries,
  type ScheduledEntries,
} from '#shared/store/scheduled-entries.ts';
import { createScheduleHandler } from '#shared/triggers/schedule.ts';

export type Dependencies = {
  applications: Pick<Applications, 'find'>;
  scheduledEntries: ScheduledEntries;
  clock: () => Date;
  log: Log;
  metrics: Metrics;
};

/** Groups posted at the same time; more would only contend for the same partitions. */
const concurrency = 8;

/** A run stops this long before its end; what is left is due in the next run as well. */
const reserveMilliseconds = 10_000;

/** Whether two entries count on one sheet, so that they can be posted together. */
const isBeside = (one: DueEntry, other: DueEntry): boolean =>
  one.pk === other.pk && one.postingDate === other.postingDate;

/** Yields entries that follow each other and count on one sheet, in groups. */
async function* grouped(due: AsyncIterable<DueEntry>): AsyncGenerator<DueEntry[]> {
  let group: DueEntry[] = [];
  for await (const entry of due) {
    const [first] = group;
    const isFull = group.length === maximumDueEntries;
    if (first && (isFull || !isBeside(first, entry))) {
      yield group;
      group = [];
    }
    group.push(entry);
  }
  if (group.length > 0) yield group;
}

/**
 * Lets groups of one sheet, which follow each other, wait for each other: at the same time they
 * would only fail each other's transactions, and their entries would count in another order.
 */
const openTurns = () => {
  let last: { group: DueEntry[]; done: Promise<void> } | undefined;
  return (group: DueEntry[], work: () => Promise<void>): Promise<void> => {
    const [before, next] = [last?.group[0], group[0]];
    const isSameSheet = before !== undefined && next !== undefined && isBeside(before, next);
    const done = isSameSheet && last ? last.done.then(work) : work();
    last = { group, done };
    return done;
  };
};

export const createHandler = (dependencies: Dependencies) => {
  const { applications, scheduledEntries, clock, log, metrics } = dependencies;
  return createScheduleHandler(
    async ({ scheduledFor, remainingMilliseconds }) => {
      const isSuspended = openSuspensions(applications);
      const summary = { posted: 0, posted_before: 0, suspended: 0, failed: 0, stopped_early: 'no' };
      const fail = (key: DueEntry, error: unknown): void => {
        // One entry that cannot be posted must not hold up the others.
        summary.failed += 1;
        log.error('entry not posted', { key, error });
      };
      const isWaiting = (key: DueEntry): Promise<boolean> => {
        const owner = tenantNameOf(key);
        if (owner === undefined) throw new Error('a due entry belongs to no tenant');
        return isSuspended(owner.applicationId);
      };
      async function* listPostable(): AsyncGenerator<DueEntry> {
        for await (const key of scheduledEntries.listDue(dateOf(scheduledFor))) {
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
      const groups = grouped(listPostable());
      const post = async (group: DueEntry[]): Promise<void> => {
        if (remainingMilliseconds() < reserveMilliseconds) {
          summary.stopped_early = 'yes';
          return;
        }
        try {
          const posted = await scheduledEntries.post(group, clock().toISOString());
          summary.posted += posted;
          summary.posted_before += group.length - posted;
        } catch (error) {
          // Contention and a table that does not answer are no fault of one entry. Else one of them
          // stands in the way of the others, so each is tried by itself.
          if (group.length === 1 || error instanceof ApiError) {
            for (const entry of group) fail(entry, error);
            return;
          }
          for (const entry of group) await post([entry]);
        }
      };
      const inTurn = openTurns();
      const work = async (): Promise<void> => {
        for await (const group of groups) await inTurn(group, () => post(group));
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
