// How long a request waits for others that write to the same tenant and date.

import { contentionSeconds } from '../aws-call-limits.ts';

/**
 * The wait of a post for requests of its own process, in their queue. In Lambda a process has one
 * request at a time, so nobody waits there.
 */
export const queueSeconds = 3;

type Budget = { milliseconds: number; since: number };

/** The wait for other processes from `since`, to `endsAt` at most, both by a monotonic clock. */
export const contentionBudgetOf = (since: number, endsAt = Infinity): Budget => ({
  milliseconds: Math.max(0, Math.min(contentionSeconds * 1_000, endsAt - since)),
  since,
});

export type PostingBudget = {
  /** When the request gives up. */
  endsAt: number;
  /** The budget for other processes. It starts with the first call. */
  contention: (now: number) => Budget;
};

/** @param startedAt when the caller started waiting */
export const openPostingBudget = (startedAt: number): PostingBudget => {
  const endsAt = startedAt + queueSeconds * 1_000;
  let started: Budget | undefined;
  return {
    endsAt,
    contention: (now) => {
      started ??= contentionBudgetOf(now, endsAt);
      return started;
    },
  };
};
