// Turns throttles and network faults into `temporarily_unavailable`, after the SDK's own retries.

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

/** Whether the same call may succeed later. */
const isTransient = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { name, code = '', $metadata }: Fault = error;
  const isServerFault = ($metadata?.httpStatusCode ?? 0) >= 500;
  return isServerFault || transientFaults.has(name) || transientFaults.has(code);
};

/** The error to throw for a failed call: `temporarily_unavailable` for a transient fault. */
export const thrownFor = (error: unknown): unknown =>
  isTransient(error)
    ? new ApiError('temporarily_unavailable', { retryAfterSeconds: 1, cause: error })
    : error;

/** Makes the client throw `temporarily_unavailable` for transient faults. */
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
