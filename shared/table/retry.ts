// Retries with backoff, for contended writes and for batches that the table processed in part.

import { AsyncLocalStorage } from 'node:async_hooks';
import { contentionSeconds } from '../aws-call-limits.ts';
import { ApiError } from '../errors.ts';
import { countContentionRetry } from './metering.ts';

/** How long a contended write is retried, and which error follows. */
export type ContentionBudget = {
  /** Defaults to the rest of the caller's patience, or else to `patientMilliseconds`. */
  milliseconds?: number;
  /** When the caller started waiting, by `performance.now()`. Defaults to the first attempt. */
  since?: number | undefined;
  /** Defaults to as many as there is time for. */
  maximumAttempts?: number | undefined;
};

/**
 * The budget without a waiting caller, such as in imports, and of work that cannot be repeated: a
 * platform exchanges an authorization code for tokens only once.
 */
export const patientMilliseconds = 15_000;

/** When the work of the current request first met contention. */
const waitingCaller = new AsyncLocalStorage<{ contendedAt?: number }>();

/** Does work whose caller waits: all its contended writes wait `contentionSeconds` at most. */
export const forWaitingCaller = <Result>(work: () => Promise<Result>): Promise<Result> =>
  waitingCaller.run({}, work);

/** The budget of a write without its own. @param since when its first attempt started */
const defaultBudget = (since: number): { milliseconds: number; since: number } => {
  const caller = waitingCaller.getStore();
  if (caller === undefined) return { milliseconds: patientMilliseconds, since };
  caller.contendedAt ??= since;
  return { milliseconds: contentionSeconds * 1_000, since: caller.contendedAt };
};

/** Whether an attempt may have been committed although its reply was lost. */
const retrying = new AsyncLocalStorage<{ mayBeDone: boolean }>();

/** Tells the retries under way that the reply to an attempt was lost. */
export const noteLostReply = (): void => {
  const state = retrying.getStore();
  if (state) state.mayBeDone = true;
};

/**
 * The backoff's ceiling quadruples after each attempt. Only one of many concurrent writers succeeds
 * at a time, and each failed attempt uses capacity. With a ceiling that doubles, half as many of 80
 * posts per second to one date succeed.
 */
const firstCeilingMilliseconds = 16;
const ceilingGrowth = 4;
const maximumCeilingMilliseconds = 1_500;
const minimumCeilingMilliseconds = 20;

/** Full jitter (AWS Architecture Blog, "Exponential Backoff And Jitter"). */
const pauseUpTo = (ceilingMilliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * ceilingMilliseconds));

/**
 * The ceiling of a pause. It falls as the caller uses up its budget. Otherwise later callers would
 * keep overtaking the callers with long pauses.
 *
 * @param usedPart the used part of the budget, from 0 to 1
 */
const ceilingBefore = (attempt: number, usedPart: number): number =>
  Math.min(
    firstCeilingMilliseconds * ceilingGrowth ** attempt,
    Math.max(minimumCeilingMilliseconds, maximumCeilingMilliseconds * (1 - usedPart)),
  );

/**
 * Retries a contended write until it succeeds, or until the rest of the budget is too short for
 * another attempt of the same duration. The SDK does not retry transaction conflicts.
 *
 * @param attempt returns `undefined` after contention
 * @throws ApiError `contention` if nothing was written, or `temporarily_unavailable` if an attempt
 *   may have been committed
 */
export const retryOnContention = async <Result>(
  attempt: () => Promise<Result | undefined>,
  budget: ContentionBudget = {},
): Promise<Result> => {
  // Attempts of outer retries count too.
  const state = retrying.getStore() ?? { mayBeDone: false };
  return retrying.run(state, () => retry(attempt, budget, state));
};

const retry = async <Result>(
  attempt: () => Promise<Result | undefined>,
  {
    milliseconds: ownMilliseconds,
    since: startedAt = performance.now(),
    maximumAttempts = Number.POSITIVE_INFINITY,
  }: ContentionBudget,
  state: Readonly<{ mayBeDone: boolean }>,
): Promise<Result> => {
  for (let number = 0; ; number += 1) {
    const attemptedAt = performance.now();
    const result = await attempt();
    if (result !== undefined) return result;
    const now = performance.now();
    const { milliseconds, since } =
      ownMilliseconds === undefined
        ? defaultBudget(startedAt)
        : { milliseconds: ownMilliseconds, since: startedAt };
    const leftMilliseconds = since + milliseconds - now - (now - attemptedAt);
    const isLast = number + 1 >= maximumAttempts && !state.mayBeDone;
    if (isLast || leftMilliseconds < minimumCeilingMilliseconds) {
      const code = state.mayBeDone ? 'temporarily_unavailable' : 'contention';
      throw new ApiError(code, { retryAfterSeconds: 1 });
    }
    countContentionRetry();
    const ceilingMilliseconds = ceilingBefore(number, (now - since) / milliseconds);
    await pauseUpTo(Math.min(ceilingMilliseconds, leftMilliseconds));
  }
};

const maximumBatchAttempts = 9;
const maximumBatchCeilingMilliseconds = 500;

/**
 * Repeats the remaining part of a batch, with pauses, until all of it is done.
 * @param work returns the part that it did not do
 * @throws ApiError `temporarily_unavailable` after `maximumBatchAttempts`
 */
export const retryUnprocessed = async <Work>(
  batch: Work[],
  work: (remaining: Work[]) => Promise<Work[]>,
): Promise<void> => {
  let remaining = batch;
  for (let attempt = 0; remaining.length > 0; attempt += 1) {
    if (attempt === maximumBatchAttempts) {
      throw new ApiError('temporarily_unavailable', { retryAfterSeconds: 1 });
    }
    if (attempt > 0) await pauseUpTo(Math.min(maximumBatchCeilingMilliseconds, 4 * 2 ** attempt));
    remaining = await work(remaining);
  }
};
