// Stuck background work: the reason, and the backoff until the next attempt.

import * as z from 'zod/mini';
import { ApiError } from '../errors.ts';

const transientCodes: ReadonlySet<string> = new Set(['contention', 'temporarily_unavailable']);

/** Whether the same work may succeed a moment later. Any other failure makes work stuck. */
export const isTransient = (error: unknown): error is ApiError =>
  error instanceof ApiError && transientCodes.has(error.code);

/** infra/runbook.md explains each reason. */
export const stuckReasons = [
  'date_full',
  'entry_unreadable',
  'entry_altered',
  'internal_error',
] as const;
export type StuckReason = (typeof stuckReasons)[number];

/** `since` is the time of the first failure, `attempts` the number of failures. */
export const StuckState = z.object({
  reason: z.enum(stuckReasons),
  since: z.string(),
  attempts: z.int(),
});
export type StuckState = z.infer<typeof StuckState>;

export type StuckWork = StuckState & { nextAttemptAt: string };

/** Thrown by background work that fails for a known reason. */
export class WorkStuck extends Error {
  readonly reason: StuckReason;

  constructor(reason: StuckReason) {
    super(`background work is stuck: ${reason}`);
    this.reason = reason;
  }
}

const firstBackoffMinutes = 5;
const backoffFactor = 3;
export const maximumBackoffMinutes = 24 * 60;

/** The backoff after a number of failures: 5, 15, 45, 135, 405 and 1215 minutes, then a day. */
const backoffMinutesAfter = (attempts: number): number =>
  Math.min(firstBackoffMinutes * backoffFactor ** (attempts - 1), maximumBackoffMinutes);

/** The state after one more failure, and the time of the next attempt. */
export const stuckAfter = (
  before: StuckState | undefined,
  { reason, now }: { reason: StuckReason; now: Date },
): { stuck: StuckState; nextAttemptAt: string } => {
  const attempts = (before?.attempts ?? 0) + 1;
  const nextAttemptAt = new Date(now.getTime() + backoffMinutesAfter(attempts) * 60_000);
  return {
    stuck: { reason, since: before?.since ?? now.toISOString(), attempts },
    nextAttemptAt: nextAttemptAt.toISOString(),
  };
};
