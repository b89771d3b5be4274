// Stops calls to a platform that does not respond. Each process has its own breaker for each
// platform, because a shared state would cost every request a read. A deployed function handles one
// request at a time, so a process loses at most three calls before its breaker opens, and one call
// for each pause after that. The reserved executions limit the number of processes.

/** Calls in a row that timed out before the breaker opens. */
export const maximumTimeouts = 3;

/** The time without calls. After it, one call tests the platform. */
export const pauseMilliseconds = 30_000;

export type CircuitBreaker = ReturnType<typeof openCircuitBreaker>;

/** @param options.now a monotonic clock in milliseconds */
export const openCircuitBreaker = ({ now = () => performance.now() } = {}) => {
  let timeouts = 0;
  let callsAgainAt = 0;
  const pause = (): void => {
    callsAgainAt = now() + pauseMilliseconds;
  };
  return {
    /**
     * The seconds until a call may be made, or `undefined` if it may be made now. The call that
     * tests the platform makes the others wait for another pause.
     */
    secondsToWait: (): number | undefined => {
      if (timeouts < maximumTimeouts) return undefined;
      const left = callsAgainAt - now();
      if (left > 0) return Math.ceil(left / 1_000);
      pause();
      return undefined;
    },
    /** The platform replied, with whatever status. */
    replied: (): void => {
      timeouts = 0;
    },
    timedOut: (): void => {
      timeouts += 1;
      pause();
    },
  };
};
