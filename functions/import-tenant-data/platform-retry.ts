// Tries a platform's call again where its failure may pass soon, for as long as there is time.

import { PlatformFailure, type PlatformFailureReason } from '#shared/platforms/platform.ts';

const transientReasons: ReadonlySet<PlatformFailureReason> = new Set([
  'rate_limited',
  'platform_unavailable',
  'platform_timed_out',
]);

const maximumAttempts = 4;
const initialBackoffMilliseconds = 1_000;

/** Limits by the minute are waited for; what takes longer is better done in another run. */
const maximumBackoffMilliseconds = 65_000;

/** One attempt can take three calls of a platform; then the checkpoint is to be written. */
const reserveMilliseconds = 30_000;

export type RunBudget = {
  sleep: (milliseconds: number) => Promise<unknown>;
  remainingMilliseconds: () => number;
};

/** The run has no time for another call: it ends here, and the next one goes on. */
export class DeadlineNear extends Error {}

/** As long as the platform says, or else twice as long each time. */
const backoffAfter = ({ retryAfterSeconds }: PlatformFailure, attempt: number): number =>
  retryAfterSeconds === undefined
    ? initialBackoffMilliseconds * 2 ** (attempt - 1)
    : retryAfterSeconds * 1000;

/** @throws PlatformFailure the last one, when attempts are spent; DeadlineNear when time is */
export const withRetry = async <Result>(
  work: () => Promise<Result>,
  { sleep, remainingMilliseconds }: RunBudget,
): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    if (remainingMilliseconds() < reserveMilliseconds) throw new DeadlineNear();
    try {
      return await work();
    } catch (error) {
      const isTransient = error instanceof PlatformFailure && transientReasons.has(error.reason);
      if (!isTransient || attempt === maximumAttempts) throw error;
      const backoff = backoffAfter(error, attempt);
      if (backoff > maximumBackoffMilliseconds) throw error;
      if (backoff + reserveMilliseconds > remainingMilliseconds()) throw error;
      await sleep(backoff);
    }
  }
};
