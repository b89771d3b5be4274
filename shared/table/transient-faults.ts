// Throttles and faults of the network, as the SDK knows them. Its own retries are spent by the time
// they are seen here; a caller may try again later.

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ApiError } from '../errors.ts';

const transientFaults = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'TransactionInProgressException',
  'TimeoutError',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

type Fault = Error & { code?: string; $metadata?: { httpStatusCode?: number } };

/** Whether the same call may succeed later: the table, not the call, is at fault. */
const isTransient = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { name, code = '', $metadata }: Fault = error;
  const isServerFault = ($metadata?.httpStatusCode ?? 0) >= 500;
  return isServerFault || transientFaults.has(name) || transientFaults.has(code);
};

/** What a failed call is thrown as: `temporarily_unavailable` where its fault is transient. */
export const thrownFor = (error: unknown): unknown =>
  isTransient(error)
    ? new ApiError('temporarily_unavailable', { retryAfterSeconds: 1, cause: error })
    : error;

/** Makes the client's calls throw `temporarily_unavailable` where their fault is transient. */
export const translateFaults = ({
  middlewareStack,
}: Pick<DynamoDBClient, 'middlewareStack'>): void => {
  middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error: unknown): never => {
        throw thrownFor(error);
      }),
    { step: 'initialize', name: 'transientFaults' },
  );
};
