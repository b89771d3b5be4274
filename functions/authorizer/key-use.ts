// Records the day on which a key was last used. An operator wants to know it before revoking a key;
// no request may fail or wait for it.

import type { Applications } from '#shared/applications/applications.store.ts';
import { isWithin } from '#shared/elapsed-time.ts';
import type { Log } from '#shared/log.ts';
import { dateOf } from '#shared/money/dates.ts';

/** How long a reply waits for the record, since a function is frozen after its reply. */
export const recordingMilliseconds = 150;
/** How long nothing is recorded after that failed, so that a fault slows one reply a minute. */
const pauseMilliseconds = 60_000;

type Owner = { applicationId: string; keyId: string };

export const openKeyUse = ({
  applications,
  clock,
  sleep,
  log,
}: {
  applications: Pick<Applications, 'recordUse'>;
  clock: () => Date;
  sleep: (milliseconds: number) => Promise<unknown>;
  log: Log;
}) => {
  let pausedAt = Number.NEGATIVE_INFINITY;

  /** Records today's first use. Never throws. */
  return async (owner: Owner, lastUsedOn: string | undefined): Promise<void> => {
    const now = clock();
    const today = dateOf(now);
    const isRecorded = lastUsedOn !== undefined && lastUsedOn >= today;
    const isPaused = isWithin(pauseMilliseconds, { since: pausedAt, now: now.getTime() });
    if (isRecorded || isPaused) return;
    const recording = applications.recordUse(owner, today).then(
      () => true,
      (error: unknown) => {
        log.warn('key use not recorded', { key_id: owner.keyId, error });
        return false;
      },
    );
    const timeout = sleep(recordingMilliseconds).then(() => false);
    const inTime = await Promise.race([recording, timeout]);
    if (!inTime) pausedAt = now.getTime();
  };
};
