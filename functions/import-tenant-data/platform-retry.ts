// Calls a platform within what a run has left: in its turn, each call within its time, and again
// where its failure may pass soon.

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

/** Tokens may have to be refreshed before a call, and what it brings is to be written. */
export const reserveMilliseconds = 25_000;

/** A call that has less time than this is left to the next run. */
const minimumCallMilliseconds = 5_000;

export type RunBudget = {
  sleep: (milliseconds: number) => Promise<unknown>;
  remainingMilliseconds: () => number;
};

export type CallLimits = {
  /** How long the platform may take for a call. */
  timeoutMilliseconds: number;
  /** How long it asks to wait before the next one. */
  waitMilliseconds: () => number;
  /** Whether a call that came too late is made again in the same way. */
  repeatsTimeouts: boolean;
};

/** The run has no time for another call: it ends here, and the next one goes on. */
export class DeadlineNear extends Error {}

/** As long as the platform says, or else twice as long each time. */
const backoffAfter = ({ retryAfterSeconds }: PlatformFailure, attempt: number): number =>
  retryAfterSeconds === undefined
    ? initialBackoffMilliseconds * 2 ** (attempt - 1)
    : retryAfterSeconds * 1000;

/** What a run has left for one call, when all that may come after it is set aside. */
const leftForCall = ({ remainingMilliseconds }: RunBudget): number =>
  remainingMilliseconds() - reserveMilliseconds;

/** @throws DeadlineNear where there is no time for a call */
const demandTime = (budget: RunBudget): void => {
  if (leftForCall(budget) < minimumCallMilliseconds) throw new DeadlineNear();
};

/** @throws PlatformFailure where the wait is better done in another run */
const waitForTurn = async (limits: CallLimits & RunBudget): Promise<void> => {
  const wait = limits.waitMilliseconds();
  const fits = leftForCall(limits) >= wait + minimumCallMilliseconds;
  if (wait > maximumBackoffMilliseconds || !fits) {
    throw new PlatformFailure('rate_limited', { retryAfterSeconds: Math.ceil(wait / 1000) });
  }
  if (wait > 0) await limits.sleep(wait);
};

/** How long to wait before a call is made again; `undefined` where it is not, in this run. */
const backoffBeforeRetry = (
  error: PlatformFailure,
  { attempt, ...limits }: CallLimits & RunBudget & { attempt: number },
): number | undefined => {
  const isTimeout = error.reason === 'platform_timed_out';
  const isRepeated = transientReasons.has(error.reason) && (limits.repeatsTimeouts || !isTimeout);
  if (!isRepeated || attempt === maximumAttempts) return undefined;
  const backoff = backoffAfter(error, attempt);
  // What has come too late once needs all its time.
  const needed = isTimeout ? limits.timeoutMilliseconds : minimumCallMilliseconds;
  const fits = leftForCall(limits) >= backoff + needed;
  return fits && backoff <= maximumBackoffMilliseconds ? backoff : undefined;
};

/**
 * @param work does the call; it asks for the call's time limit when it begins, which is shorter
 *   than the platform's own where the run has less left
 * @throws PlatformFailure the last one, when attempts are spent; DeadlineNear when time is
 */
export const withRetry = async <Result>(
  work: (timeLimit: () => number) => Promise<Result>,
  limits: CallLimits & RunBudget,
): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    demandTime(limits);
    await waitForTurn(limits);
    let isCutShort = false;
    const timeLimit = (): number => {
      demandTime(limits);
      const left = leftForCall(limits);
      isCutShort = left < limits.timeoutMilliseconds;
      return Math.min(limits.timeoutMilliseconds, left);
    };
    try {
      return await work(timeLimit);
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error;
      // The platform might have answered, had it had its time.
      if (isCutShort && error.reason === 'platform_timed_out') throw new DeadlineNear();
      const backoff = backoffBeforeRetry(error, { ...limits, attempt });
      if (backoff === undefined) throw error;
      await limits.sleep(backoff);
    }
  }
};
