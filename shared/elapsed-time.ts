// Measures elapsed time with a clock that can jump.

/**
 * Whether less time than this has passed. False if `since` is further in the future: then the clock
 * has jumped back, and waiting for it would take too long.
 */
export const isWithin = (
  milliseconds: number,
  { since, now }: { since: number; now: number },
): boolean => Math.abs(now - since) < milliseconds;
