// Carries the totals of tenants forward, every day. Reports start from them. Once a week, it also
// makes the verification of a tenant's books due.

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
import { isVerificationDay } from '#shared/verification/verification-days.ts';
import type { Verifications } from '#shared/verification/verifications.store.ts';

export type Dependencies = TurnDependencies & {
  carryForward: CarryForward;
  verifications: Pick<Verifications, 'request'>;
};

/** A step carries one date, which takes a few seconds if each date has thousands of accounts. */
const limits: TurnLimits = {
  concurrency: 4,
  turnMilliseconds: 5_000,
  turnUnits: 2_000,
  reserveMilliseconds: 30_000,
};

export const createHandler = (dependencies: Dependencies) => {
  const { carryForward, verifications, clock, log, metrics } = dependencies;
  const turns = openBackgroundTurns(dependencies);
  return createScheduleHandler(
    async (run) => {
      let carried = 0;
      const carry = async (name: TenantName): Promise<StepEnd> => {
        // Not the scheduled time, which can be in the future: posts rely on the clock too.
        const now = clock();
        const outcome = await carryForward.carryNext(name, now);
        if (outcome === 'later') return 'later';
        if (outcome === 'done') {
          if (isVerificationDay(name, now)) await verifications.request(name, now);
          await carryForward.sleep(name, now);
          return 'done';
        }
        carried += 1;
        return 'more';
      };
      const summary = await turns.run(run, {
        ...limits,
        partitions: [dueCarryPartition],
        begin: (_, name) => () => carry(name),
      });
      return { carried, ...summary };
    },
    { log, metrics },
  );
};
