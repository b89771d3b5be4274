// Retries with backoff: of contended writes, and of batches that the table cut short.

import { ApiError } from '../errors.ts';
import { countContentionRetry } from './metering.ts';

/** How long a contended write is tried, and what its caller is told after that. */
export type ContentionBudget = {
  milliseconds?: number;
  /** Since when the caller has waited, by `performance.now()`; since the first try if left out. */
  since?: number | undefined;
  /** Whether a try of it may have been carried out although nobody heard of it. */
  mayBeDone?: () => boolean;
};

/**
 * For what nobody waits for at an open connection, and for what cannot be asked for again: runs,
 * imports, a tenant whose platform has exchanged its tokens for this write already.
 */
export const patientMilliseconds = 15_000;

/**
 * The ceilings of the pauses grow quickly: of many who wait in one place only one gets on at a
 * time, and every try that fails takes capacity from all. With ceilings that double, half as many
 * of 80 posts a second into one date get through.
 */
const firstCeilingMilliseconds = 16;
const ceilingGrowth = 4;
const maximumCeilingMilliseconds = 1_500;
const minimumCeilingMilliseconds = 20;

/** Full jitter (AWS Architecture Blog, "Exponential Backoff And Jitter"). */
const pauseUpTo = (ceilingMilliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * ceilingMilliseconds));

/**
 * The ceiling of a pause. It comes down as the budget is used up: otherwise those who come later
 * get through before those who have been pausing, again and again.
 *
 * @param usedPart how much of its budget the caller has used up, from 0 to 1
 */
const ceilingBefore = (attempt: number, usedPart: number): number =>
  Math.min(
    firstCeilingMilliseconds * ceilingGrowth ** attempt,
    Math.max(minimumCeilingMilliseconds, maximumCeilingMilliseconds * (1 - usedPart)),
  );

/**
 * Retries a contended write until it is done, or until its budget has no room for another try,
 * which is taken to last as long as the one before. The SDK does not retry transaction conflicts.
 *
 * @param attempt one try; `undefined` where contention stood in its way and nothing was written
 * @throws ApiError `contention`, after which its caller may send the request again;
 *   `temporarily_unavailable` where it may be done already
 */
export const retryOnContention = async <Result>(
  attempt: () => Promise<Result | undefined>,
  {
    milliseconds = patientMilliseconds,
    since = performance.now(),
    mayBeDone = () => false,
  }: ContentionBudget = {},
): Promise<Result> => {
  for (let number = 0; ; number += 1) {
    const triedAt = performance.now();
    const result = await attempt();
    if (result !== undefined) return result;
    const now = performance.now();
    const leftMilliseconds = since + milliseconds - now - (now - triedAt);
    if (leftMilliseconds < minimumCeilingMilliseconds) {
      const code = mayBeDone() ? 'temporarily_unavailable' : 'contention';
      throw new ApiError(code, { retryAfterSeconds: 1 });
    }
    countContentionRetry();
    const ceilingMilliseconds = ceilingBefore(number, (now - since) / milliseconds);
    await pauseUpTo(Math.min(ceilingMilliseconds, leftMilliseconds));
  }
};

const maximumBatchAttempts = 9;
const maximumBatchCeilingMilliseconds = 500;

/** Does a batch of work, and goes on, after pauses, with what the table left of it. */
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
