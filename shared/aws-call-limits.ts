// Time and attempt limits for calls to AWS services. A call must end before its function times out,
// because a function that Lambda stops cannot answer.

export type AwsCallLimits = {
  /** Covers connecting and waiting for the first byte of the reply. */
  attemptMilliseconds: number;
  maximumAttempts: number;
};

/**
 * The limits by kind of function. One table call and one read of each secret must fit into a
 * function's time limit; limits.test.ts relates them to the manifest.
 */
export const callLimits = {
  standard: {
    table: { attemptMilliseconds: 3_000, maximumAttempts: 3 },
    secrets: { attemptMilliseconds: 2_000, maximumAttempts: 2 },
  },
  /** For the authorizer, which has a time limit of five seconds. */
  short: {
    table: { attemptMilliseconds: 1_000, maximumAttempts: 3 },
    secrets: { attemptMilliseconds: 700, maximumAttempts: 2 },
  },
} as const satisfies Record<string, Record<'table' | 'secrets', AwsCallLimits>>;

/** For asynchronous invocations of Lambda functions: Lambda only queues them. */
export const invocationLimits: AwsCallLimits = { attemptMilliseconds: 3_000, maximumAttempts: 3 };

/**
 * How long all contended writes of a request wait together, from the first contention. Meanwhile
 * the request occupies an execution, which other requests need.
 */
export const contentionSeconds = 1;

/** The limits as settings of an AWS SDK client. By default the SDK only logs a timeout. */
export const clientSettings = ({ attemptMilliseconds, maximumAttempts }: AwsCallLimits) => ({
  requestHandler: {
    connectionTimeout: Math.min(attemptMilliseconds, 1_000),
    requestTimeout: attemptMilliseconds,
    throwOnRequestTimeout: true,
  },
  maxAttempts: maximumAttempts,
});

/** The SDK's maximum delay before its second attempt. The delay doubles with each attempt. */
const firstBackoffMilliseconds = 100;

/** The duration of a call if no attempt gets a reply. */
export const maximumCallMilliseconds = ({
  attemptMilliseconds,
  maximumAttempts,
}: AwsCallLimits): number =>
  maximumAttempts * attemptMilliseconds +
  (2 ** (maximumAttempts - 1) - 1) * firstBackoffMilliseconds;
