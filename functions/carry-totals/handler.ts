// Carries the totals of months that ended lately forward, tenant by tenant. Reports start from them.

import {
  openBackgroundTurns,
  type StepEnd,
  type TurnDependencies,
  type TurnLimits,
} from '#shared/background/background-turns.service.ts';
import { createScheduleHandler } from '#shared/endpoint/schedule.ts';
import type { CarryForward } from '#shared/sheets/carry-forward.store.ts';
import { dueCarryPartition } from '#shared/table/due-keys.ts';
import type { TenantName } from '#shared/table/keys.ts';

export type Dependencies = TurnDependencies & { carryForward: CarryForward };

/** A step carries one month, which takes a few seconds if each date has thousands of accounts. */
const limits: TurnLimits = {
  concurrency: 4,
  turnMilliseconds: 5_000,
  turnUnits: 2_000,
  reserveMilliseconds: 30_000,
};

export const createHandler = (dependencies: Dependencies) => {
  const { carryForward, clock, log, metrics } = dependencies;
  const turns = openBackgroundTurns(dependencies);
  return createScheduleHandler(
    async (run) => {
      let months = 0;
      // A manual run can have a time in the past. It still carries every month that is due now.
      const now = new Date(Math.max(run.scheduledFor.getTime(), clock().getTime()));
      const carry = async (name: TenantName): Promise<StepEnd> => {
        const outcome = await carryForward.carryNext(name, now);
        if (outcome === 'later') return 'later';
        if (outcome === 'done') {
          await carryForward.sleep(name, now);
          return 'done';
        }
        months += 1;
        return 'more';
      };
      const summary = await turns.run(
        { ...run, scheduledFor: now },
        {
          ...limits,
          concurrency: dependencies.concurrency ?? limits.concurrency,
          partitions: [dueCarryPartition],
          begin: (_, name) => () => carry(name),
        },
      );
      return { months, ...summary };
    },
    { log, metrics },
  );
};
