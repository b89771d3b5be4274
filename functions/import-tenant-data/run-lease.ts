// The lease of a run. A heartbeat renews it, and the run checks it before each write.
//
// A lease lasts a minute, so an import continues soon after its run was killed. During a longer
// pause (a sleeping laptop, a starved process), another run can take over the import. The first
// run's writes to the import then fail, because they require its lease. The two runs cannot record
// a journal twice: its guard, number and entry are one write, which requires that the guard does
// not exist. Accounts have no guard, and an old page could undo later changes. So a run checks its
// lease before it records a page.

import type { Imports } from '#shared/imports/imports.store.ts';
import { isWithin } from '#shared/money/dates.ts';
import type { Log } from '#shared/telemetry.ts';
import { logFieldsOf, type Run, Superseded } from './run-outcome.ts';

/** The minimum time between renewals, by a saved checkpoint or by the heartbeat. */
export const renewalMilliseconds = 20_000;

/** The interval of the heartbeat, which renews the lease if this is due. */
export const heartbeatMilliseconds = 10_000;

/** Repeats work at an interval. Returns a function that stops it. */
export type Repeat = (milliseconds: number, work: () => Promise<void>) => () => void;

export const repeatByTimer: Repeat = (milliseconds, work) => {
  const timer = setInterval(work, milliseconds);
  return () => clearInterval(timer);
};

export type RunLease = {
  /** @throws Superseded if another run has the import */
  assertHeld: () => void;
  /** As `assertHeld`, and renews the lease if this is due. */
  hold: () => Promise<void>;
  /** Makes a write that requires the lease. `renewsLease`: the write must also renew it. */
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
    /** The remaining time of the run. After it, the heartbeat stops renewing the lease. */
    remainingMilliseconds: () => number;
    log: Log;
  },
): RunLease => {
  const { imports, clock, repeat, remainingMilliseconds, log } = dependencies;
  let renewedAt = clock();
  let isLost = false;
  let hasStopped = false;

  const assertHeld = (): void => {
    if (isLost) throw new Superseded();
  };

  const isRenewalDue = (now: Date): boolean =>
    !isWithin(renewalMilliseconds, { since: renewedAt.getTime(), now: now.getTime() });

  const write: RunLease['write'] = async (work) => {
    assertHeld();
    const now = clock();
    const renewsLease = isRenewalDue(now);
    isLost = !(await work({ now, renewsLease })) || isLost;
    assertHeld();
    if (renewsLease) renewedAt = now;
    return now;
  };

  const hold = async (): Promise<void> => {
    assertHeld();
    if (!isRenewalDue(clock())) return;
    await write(({ now }) => imports.renewLease(name, { importId, runId, now }));
  };

  /** If the table does not answer, the next heartbeat tries again. */
  const beat = async (): Promise<void> => {
    if (isLost || remainingMilliseconds() <= 0) return;
    await hold().catch((error: unknown) => {
      if (hasStopped || isLost) return;
      log.warn('the lease was not renewed', { ...logFieldsOf({ name, importId }), error });
    });
  };
  const stopBeating = repeat(heartbeatMilliseconds, beat);

  return {
    assertHeld,
    hold,
    write,
    stop: () => {
      hasStopped = true;
      stopBeating();
    },
  };
};
