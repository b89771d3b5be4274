// How much time has passed, by a clock that may have jumped.

/**
 * Whether less than this has passed since a moment. If the moment is further ahead than that, the
 * clock has jumped back since, and nobody waits until it comes again.
 */
export const isWithin = (
  milliseconds: number,
  { since, now }: { since: number; now: number },
): boolean => Math.abs(now - since) < milliseconds;
