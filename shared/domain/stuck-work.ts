// Background work that failed for a reason of its own: why, since when, and when it is tried again.

import * as z from 'zod/mini';

/** Why background work is stuck; the runbook explains each of these. */
export const stuckReasons = ['date_full', 'entry_unreadable', 'internal_error'] as const;
export type StuckReason = (typeof stuckReasons)[number];

/** What the item of the work records: `attempts` counts the failures since `since`, the first. */
export const StuckState = z.object({
  reason: z.enum(stuckReasons),
  since: z.string(),
  attempts: z.int(),
});
export type StuckState = z.infer<typeof StuckState>;

/** How work is stuck, and when it is tried again. */
export type StuckWork = StuckState & { nextAttemptAt: string };

/** Thrown by work that fails for a reason which has a name. */
export class WorkStuck extends Error {
  readonly reason: StuckReason;

  constructor(reason: StuckReason) {
    super(`background work is stuck: ${reason}`);
    this.reason = reason;
  }
}

const firstPauseMinutes = 5;
const pauseGrowth = 3;
const maximumPauseMinutes = 24 * 60;

/** The pause after so many failures: 5 minutes, 15, 45, 135, 405, 1215, and then a day each. */
export const pauseMinutesAfter = (attempts: number): number =>
  Math.min(firstPauseMinutes * pauseGrowth ** (attempts - 1), maximumPauseMinutes);

/** The state after one more failure, and the moment of the next attempt. */
export const stuckAfter = (
  before: StuckState | undefined,
  { reason, now }: { reason: StuckReason; now: Date },
): { stuck: StuckState; nextAttemptAt: string } => {
  const attempts = (before?.attempts ?? 0) + 1;
  const nextAttemptAt = new Date(now.getTime() + pauseMinutesAfter(attempts) * 60_000);
  return {
    stuck: { reason, since: before?.since ?? now.toISOString(), attempts },
    nextAttemptAt: nextAttemptAt.toISOString(),
  };
};
