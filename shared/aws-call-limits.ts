// How long a call to an AWS service may take, with all its attempts. A call has to end before the
// function that waits for it does: one that Lambda stops can neither answer nor say why.

export type CallLimits = {
  /** Of one attempt, from its start to the first byte of the reply; connecting is part of it. */
  attemptMilliseconds: number;
  maximumAttempts: number;
};

/**
 * By how long a function may take. A table's call and a read of each of its secrets fit, one after
 * the other, into the time of every function; infra/limits.ts relates them to the manifest.
 */
export const callLimits = {
  standard: {
    table: { attemptMilliseconds: 3_000, maximumAttempts: 3 },
    secrets: { attemptMilliseconds: 2_000, maximumAttempts: 2 },
  },
  /** For the authorizer, which has five seconds. */
  short: {
    table: { attemptMilliseconds: 1_000, maximumAttempts: 3 },
    secrets: { attemptMilliseconds: 700, maximumAttempts: 2 },
  },
} as const satisfies Record<string, Record<'table' | 'secrets', CallLimits>>;

/** Of asking Lambda to call a function, which puts the call into a queue and waits for no more. */
export const invocationLimits: CallLimits = { attemptMilliseconds: 3_000, maximumAttempts: 3 };

/** The limits as settings of a client of the AWS SDK, whose time-outs only log by themselves. */
export const clientSettings = ({ attemptMilliseconds, maximumAttempts }: CallLimits) => ({
  requestHandler: {
    connectionTimeout: Math.min(attemptMilliseconds, 1_000),
    requestTimeout: attemptMilliseconds,
    throwOnRequestTimeout: true,
  },
  maxAttempts: maximumAttempts,
});

/** The SDK's longest pause before its second attempt; each one after it is twice as long. */
const firstBackoffMilliseconds = 100;

/** How long a call lasts whose every attempt is left without a reply. */
export const longestCallMilliseconds = ({
  attemptMilliseconds,
  maximumAttempts,
}: CallLimits): number =>
  maximumAttempts * attemptMilliseconds +
  (2 ** (maximumAttempts - 1) - 1) * firstBackoffMilliseconds;
