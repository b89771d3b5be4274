// Posts the scheduled entries whose accrual date has come, even after missed runs. Entries of a
// suspended application stay due until it is resumed.

import {
  openBackgroundTurns,
  type TurnDependencies,
  type TurnLimits,
} from '#shared/background/background-turns.service.ts';
import { createScheduleHandler } from '#shared/endpoint/schedule.ts';
import {
  type PostingStores,
  postDueDate,
} from '#shared/entries/schedule/due-date-posting.service.ts';
import type { EarlierDueEntries } from '#shared/entries/schedule/earlier-due-entries.store.ts';
import { dateOf } from '#shared/money/dates.ts';
import { dueDatePartitions } from '#shared/table/due-keys.ts';

export type Dependencies = TurnDependencies &
  PostingStores & {
    earlierDueEntries: EarlierDueEntries;
  };

/** A date with hundreds of thousands of entries takes many turns. */
const limits: TurnLimits = {
  concurrency: 8,
  turnMilliseconds: 5_000,
  turnUnits: 2_000,
  reserveMilliseconds: 20_000,
};

/** The maximum part of a run for converting entries of the earlier form. */
const conversionPart = 1 / 3;

export const createHandler = (dependencies: Dependencies) => {
  const { earlierDueEntries, clock, log, metrics } = dependencies;
  const turns = openBackgroundTurns(dependencies);
  return createScheduleHandler(
    async (run) => {
      const { scheduledFor, remainingMilliseconds } = run;
      const conversionEndsAt = remainingMilliseconds() * (1 - conversionPart);
      const converted = await earlierDueEntries.convertDue(
        dateOf(scheduledFor),
        () => remainingMilliseconds() >= conversionEndsAt,
      );
      let posted = 0;
      const onPosted = (entries: number): void => {
        posted += entries;
        metrics.dueEntriesPosted(entries);
      };
      const summary = await turns.run(run, {
        ...limits,
        partitions: dueDatePartitions,
        begin: (dueDate) => postDueDate(dependencies, dueDate, { clock, onPosted }),
      });
      return { posted, converted, ...summary };
    },
    { log, metrics },
  );
};
