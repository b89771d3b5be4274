// How long a request waits for others that write to the same tenant and date.

/**
 * The wait of a post for requests of its own process, in their queue. In Lambda a process has one
 * request at a time, so nobody waits there.
 */
export const queueSeconds = 3;

/**
 * The wait for requests of other processes, from the first attempt to write. Meanwhile the request
 * occupies an execution, which other requests need.
 */
export const contentionSeconds = 1;

type Budget = { milliseconds: number; since: number };

/** @param endsAt the latest end, by `performance.now()` */
export const openContentionBudget = (endsAt = Number.POSITIVE_INFINITY): Budget => {
  const since = performance.now();
  const milliseconds = Math.max(0, Math.min(contentionSeconds * 1_000, endsAt - since));
  return { milliseconds, since };
};

export type PostingBudget = {
  /** When the request gives up, by `performance.now()`. */
  endsAt: number;
  /** The budget for other processes. It starts with the first call. */
  contention: () => Budget;
};

/** @param startedAt when the caller started waiting, by `performance.now()` */
export const openPostingBudget = (startedAt = performance.now()): PostingBudget => {
  const endsAt = startedAt + queueSeconds * 1_000;
  let started: Budget | undefined;
  return {
    endsAt,
    contention: () => {
      started ??= openContentionBudget(endsAt);
      return started;
    },
  };
};
