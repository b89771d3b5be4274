// Retries with backoff: of contended writes, and of batches that the table cut short.

import { ApiError } from '../errors.ts';
import { countContentionRetry } from '../table-metering.ts';

/**
 * How long a write goes on trying against contention, since the SDK does not retry transaction
 * conflicts. After that the request is refused as `contention`: nothing was written, and the caller
 * may send it again. Revisit when callers prefer to be refused sooner.
 */
const budgetMilliseconds = 15_000;

const maximumBackoffMilliseconds = 500;
const minimumCeilingMilliseconds = 10;
/** After this time of waiting, the ceiling of the backoff has come down to its minimum. */
const ceilingDecayMilliseconds = 5_000;

/**
 * Full jitter (AWS Architecture Blog, "Exponential Backoff And Jitter"), under a ceiling that comes
 * down with the time that was waited: otherwise those who come later get through before those who
 * have been pausing, again and again.
 */
const backoffBefore = (attempt: number, waitedMilliseconds: number): Promise<void> => {
  const decay = 1 - waitedMilliseconds / ceilingDecayMilliseconds;
  const ceilingMilliseconds = Math.min(
    4 * 2 ** attempt,
    Math.max(minimumCeilingMilliseconds, maximumBackoffMilliseconds * decay),
  );
  return new Promise((resolve) => setTimeout(resolve, Math.random() * ceilingMilliseconds));
};

/** Retries a contended write until it is done or the time for it is spent. */
export const retryOnContention = async <Result>(
  attempt: () => Promise<Result | undefined>,
): Promise<Result> => {
  const startedAt = performance.now();
  for (let number = 0; ; number += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
    const waitedMilliseconds = performance.now() - startedAt;
    if (waitedMilliseconds > budgetMilliseconds) {
      throw new ApiError('contention', { retryAfterSeconds: 1 });
    }
    countContentionRetry();
    await backoffBefore(number, waitedMilliseconds);
  }
};

const maximumBatchAttempts = 9;

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
    if (attempt > 0) await backoffBefore(attempt, 0);
    remaining = await work(remaining);
  }
};
