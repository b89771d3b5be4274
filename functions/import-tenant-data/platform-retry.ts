// Tries a platform's call again where its failure may pass soon, for as long as there is time.

import { PlatformFailure, type PlatformFailureReason } from '#shared/platforms/platform.ts';

const transientReasons: ReadonlySet<PlatformFailureReason> = new Set([
  'rate_limited',
  'platform_unavailable',
  'platform_timed_out',
]);

const maximumAttempts = 4;
const firstPauseMilliseconds = 1_000;

/** Limits by the minute are waited for; what takes longer is better done in another run. */
const maximumBackoffMilliseconds = 65_000;

/** One try can take three calls of a platform; then where the import stands is to be written. */
const reserveMilliseconds = 30_000;

export type RunBudget = {
  sleep: (milliseconds: number) => Promise<unknown>;
  remainingMilliseconds: () => number;
};

/** The run has no time for another call: it ends here, and the next one goes on. */
export class DeadlineNear extends Error {}

/** As long as the platform says, or else twice as long each time. */
const backoffAfter = ({ retryAfterSeconds }: PlatformFailure, tries: number): number =>
  retryAfterSeconds === undefined
    ? firstPauseMilliseconds * 2 ** (tries - 1)
    : retryAfterSeconds * 1000;

/** @throws PlatformFailure the last one, when tries are spent; DeadlineNear when time is */
export const withRetry = async <Result>(
  work: () => Promise<Result>,
  { sleep, remainingMilliseconds }: RunBudget,
): Promise<Result> => {
  for (let tries = 1; ; tries += 1) {
    if (remainingMilliseconds() < reserveMilliseconds) throw new DeadlineNear();
    try {
      return await work();
    } catch (error) {
      const passing = error instanceof PlatformFailure && transientReasons.has(error.reason);
      if (!passing || tries === maximumAttempts) throw error;
      const pause = backoffAfter(error, tries);
      const isTooLong =
        pause > maximumBackoffMilliseconds || pause + reserveMilliseconds > remainingMilliseconds();
      if (isTooLong) throw error;
      await sleep(pause);
    }
  }
};
