// Tries a platform's call again where its failure may pass soon, for as long as there is time.

import { PlatformFailure, type PlatformFailureReason } from '#shared/platforms/platform.ts';

const passingReasons: ReadonlySet<PlatformFailureReason> = new Set([
  'rate_limited',
  'platform_unavailable',
  'platform_timed_out',
]);

const mostTries = 4;
const firstPauseMilliseconds = 1_000;

/** Limits by the minute are waited for; what takes longer is better done in another run. */
const longestPauseMilliseconds = 65_000;

/** One try can take three calls of a platform; then where the import stands is to be written. */
const reserveMilliseconds = 30_000;

export type Patience = {
  sleep: (milliseconds: number) => Promise<unknown>;
  remainingMilliseconds: () => number;
};

/** The run has no time for another call: it ends here, and the next one goes on. */
export class TimeIsShort extends Error {}

/** As long as the platform says, or else twice as long each time. */
const pauseAfter = ({ retryAfterSeconds }: PlatformFailure, tries: number): number =>
  retryAfterSeconds === undefined
    ? firstPauseMilliseconds * 2 ** (tries - 1)
    : retryAfterSeconds * 1000;

/** @throws PlatformFailure the last one, when tries are spent; TimeIsShort when time is */
export const patiently = async <Result>(
  work: () => Promise<Result>,
  { sleep, remainingMilliseconds }: Patience,
): Promise<Result> => {
  for (let tries = 1; ; tries += 1) {
    if (remainingMilliseconds() < reserveMilliseconds) throw new TimeIsShort();
    try {
      return await work();
    } catch (error) {
      const passing = error instanceof PlatformFailure && passingReasons.has(error.reason);
      if (!passing || tries === mostTries) throw error;
      const pause = pauseAfter(error, tries);
      const isTooLong =
        pause > longestPauseMilliseconds || pause + reserveMilliseconds > remainingMilliseconds();
      if (isTooLong) throw error;
      await sleep(pause);
    }
  }
};
