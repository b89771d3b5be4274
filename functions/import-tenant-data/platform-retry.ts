// Calls a platform within the remaining time of a run, with pauses between calls and with retries.

import { PlatformFailure, type PlatformFailureReason } from '#shared/platforms/platform.ts';

const transientReasons: ReadonlySet<PlatformFailureReason> = new Set([
  'rate_limited',
  'platform_unavailable',
  'platform_timed_out',
]);

const maximumAttempts = 4;
const initialBackoffMilliseconds = 1_000;

/** Long enough for limits per minute. After a longer wait, another run continues. */
const maximumBackoffMilliseconds = 65_000;

/** Time to refresh tokens before a call and to record its result. */
export const reserveMilliseconds = 25_000;

/** With less time than this, the next run makes the call. */
const minimumCallMilliseconds = 5_000;

export type RunBudget = {
  sleep: (milliseconds: number) => Promise<unknown>;
  remainingMilliseconds: () => number;
};

export type CallLimits = {
  /** The platform's maximum time for a call. */
  timeoutMilliseconds: number;
  /** The pause that the platform requires before the next call. */
  waitMilliseconds: () => number;
  /** Whether a call that timed out is repeated unchanged. */
  repeatsTimeouts: boolean;
};

/** The run has no time for another call, so the next run continues. */
export class DeadlineNear extends Error {}

/** The platform's Retry-After, or an exponential backoff. */
const backoffAfter = ({ retryAfterSeconds }: PlatformFailure, attempt: number): number =>
  retryAfterSeconds === undefined
    ? initialBackoffMilliseconds * 2 ** (attempt - 1)
    : retryAfterSeconds * 1000;

/** The time for one call, without the reserve for the work around it. */
const leftForCall = ({ remainingMilliseconds }: RunBudget): number =>
  remainingMilliseconds() - reserveMilliseconds;

/** @throws DeadlineNear if there is no time for a call */
const assertTimeForCall = (budget: RunBudget): void => {
  if (leftForCall(budget) < minimumCallMilliseconds) throw new DeadlineNear();
};

/** @throws PlatformFailure if the wait is too long for this run */
const waitBeforeCall = async (limits: CallLimits & RunBudget): Promise<void> => {
  const wait = limits.waitMilliseconds();
  const fits = leftForCall(limits) >= wait + minimumCallMilliseconds;
  if (wait > maximumBackoffMilliseconds || !fits) {
    throw new PlatformFailure('rate_limited', { retryAfterSeconds: Math.ceil(wait / 1000) });
  }
  if (wait > 0) await limits.sleep(wait);
};

/** The backoff before the next attempt; `undefined` if this run makes none. */
const backoffBeforeRetry = (
  error: PlatformFailure,
  { attempt, ...limits }: CallLimits & RunBudget & { attempt: number },
): number | undefined => {
  const isTimeout = error.reason === 'platform_timed_out';
  const isRepeated = transientReasons.has(error.reason) && (limits.repeatsTimeouts || !isTimeout);
  if (!isRepeated || attempt === maximumAttempts) return undefined;
  const backoff = backoffAfter(error, attempt);
  // After a timeout, the next attempt needs the full time.
  const needed = isTimeout ? limits.timeoutMilliseconds : minimumCallMilliseconds;
  const fits = leftForCall(limits) >= backoff + needed;
  return fits && backoff <= maximumBackoffMilliseconds ? backoff : undefined;
};

/**
 * @param work makes the call. It reads the time limit when it starts. The limit is shorter than the
 *   platform's maximum if the run has less time left.
 * @throws PlatformFailure the last failure, after the last attempt
 * @throws DeadlineNear if the run has no time left
 */
export const withRetry = async <Result>(
  work: (timeLimit: () => number) => Promise<Result>,
  limits: CallLimits & RunBudget,
): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    assertTimeForCall(limits);
    await waitBeforeCall(limits);
    let isCutShort = false;
    const timeLimit = (): number => {
      assertTimeForCall(limits);
      const left = leftForCall(limits);
      isCutShort = left < limits.timeoutMilliseconds;
      return Math.min(limits.timeoutMilliseconds, left);
    };
    try {
      return await work(timeLimit);
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error;
      // With its full time, the platform might have answered.
      if (isCutShort && error.reason === 'platform_timed_out') throw new DeadlineNear();
      const backoff = backoffBeforeRetry(error, { ...limits, attempt });
      if (backoff === undefined) throw error;
      await limits.sleep(backoff);
    }
  }
};
