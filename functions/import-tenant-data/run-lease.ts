// The lease of a run: renewed by a heartbeat while the run goes on, and looked at before the run
// writes anything.
//
// A lease lasts a minute, so that an import whose run was killed goes on soon. A run that is paused
// for longer (a laptop that sleeps, a process that gets no time) may find that another one has the
// import; its own writes to the import fail then, since they name its lease. Two runs in that short
// time cannot double a journal: its guard, its number and its entry are one write on the condition
// that the guard is not there. Accounts are different: a page that was read long ago would put back
// what a later one has changed. So a run makes sure of its lease before it records a page.

import { isWithin } from '#shared/elapsed-time.ts';
import type { Imports } from '#shared/imports/imports.store.ts';
import type { Log } from '#shared/log.ts';
import { logFieldsOf, type Run, Superseded } from './run-outcome.ts';

/** A lease is renewed no more often than this: by a checkpoint that is saved then, or by itself. */
export const renewalMilliseconds = 20_000;

/** How often the heartbeat looks whether the lease is to be renewed. */
export const heartbeatMilliseconds = 10_000;

/** Does work at intervals until it is stopped. */
export type Repeat = (milliseconds: number, work: () => Promise<void>) => () => void;

export const repeatByTimer: Repeat = (milliseconds, work) => {
  const timer = setInterval(work, milliseconds);
  return () => clearInterval(timer);
};

export type RunLease = {
  /** @throws Superseded if another run has the import */
  demand: () => void;
  /** Makes sure of the lease, by the table if that was last done some time ago. */
  hold: () => Promise<void>;
  /** Does a write that needs the lease; the write is told whether it shall renew the lease too. */
  write: (
    work: (renewal: { now: Date; renewsLease: boolean }) => Promise<boolean>,
  ) => Promise<Date>;
  stop: () => void;
};

/** Opens the lease that a run has just acquired. */
export const openRunLease = (
  { name, importId, runId }: Pick<Run, 'name' | 'importId' | 'runId'>,
  dependencies: {
    imports: Pick<Imports, 'renewLease'>;
    clock: () => Date;
    repeat: Repeat;
    /** What the run has left of its time; after that, nothing keeps the import for it. */
    remainingMilliseconds: () => number;
    log: Log;
  },
): RunLease => {
  const { imports, clock, repeat, remainingMilliseconds, log } = dependencies;
  let renewedAt = clock();
  let isLost = false;
  let hasStopped = false;

  const demand = (): void => {
    if (isLost) throw new Superseded();
  };

  const isToBeRenewed = (now: Date): boolean =>
    !isWithin(renewalMilliseconds, { since: renewedAt.getTime(), now: now.getTime() });

  const write: RunLease['write'] = async (work) => {
    demand();
    const now = clock();
    const renewsLease = isToBeRenewed(now);
    isLost = !(await work({ now, renewsLease })) || isLost;
    demand();
    if (renewsLease) renewedAt = now;
    return now;
  };

  const hold = async (): Promise<void> => {
    demand();
    if (!isToBeRenewed(clock())) return;
    await write(({ now }) => imports.renewLease(name, { importId, runId, now }));
  };

  /** A table that does not answer for once is no reason to stop; the next beat tries again. */
  const beat = async (): Promise<void> => {
    if (isLost || remainingMilliseconds() <= 0) return;
    await hold().catch((error: unknown) => {
      if (hasStopped || isLost) return;
      log.warn('the lease was not renewed', { ...logFieldsOf({ name, importId }), error });
    });
  };
  const stopBeating = repeat(heartbeatMilliseconds, beat);

  return {
    demand,
    hold,
    write,
    stop: () => {
      hasStopped = true;
      stopBeating();
    },
  };
};
