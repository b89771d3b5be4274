// The outcome of a call, from DynamoDB's reply or error.

import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  type DynamoDBServiceException,
  type TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { ApiError } from '../errors.ts';
import { itemOf } from './attribute-values.ts';
import { noteLostReply } from './retry.ts';

/**
 * The outcome of a transaction. `failed` has the actions with a failed condition, by their index,
 * each with the current item, if there is one. `contended` is true if another action failed because
 * of contention.
 */
export type Outcome =
  | { committed: true }
  | {
      committed: false;
      failed: Map<number, Record<string, unknown> | undefined>;
      contended: boolean;
    };

/** After these reasons, the same transaction may succeed a moment later. */
const contentionReasons = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

/** If the SDK has tried more than once, an earlier attempt may be what stands in the way. */
const noteAttempts = ({ $metadata: { attempts = 1 } }: DynamoDBServiceException): void => {
  if (attempts > 1) noteLostReply();
};

/** Writes one item: `condition_failed` if the condition fails, `undefined` on contention. */
export const singleWrite = async <Result>(
  write: () => Promise<Result>,
): Promise<Result | 'condition_failed' | undefined> => {
  try {
    return await write();
  } catch (error) {
    const hasFailed = error instanceof ConditionalCheckFailedException;
    if (!hasFailed && !(error instanceof TransactionConflictException)) throw error;
    noteAttempts(error);
    return hasFailed ? 'condition_failed' : undefined;
  }
};

/**
 * The outcome of a cancelled transaction: `undefined` after contention alone.
 * @throws the error itself for any other reason than failed conditions and contention
 */
export const outcomeOf = (error: TransactionCanceledException): Outcome | undefined => {
  noteAttempts(error);
  const reasons = (error.CancellationReasons ?? []).map((reason, index) => ({ ...reason, index }));
  const failed = reasons.filter(({ Code }) => Code === 'ConditionalCheckFailed');
  if (failed.length > 0) {
    return {
      committed: false,
      failed: new Map(failed.map(({ index, Item }) => [index, Item && itemOf(Item)])),
      contended: reasons.some(({ Code }) => contentionReasons.has(Code ?? '')),
    };
  }
  const others = reasons.filter(({ Code }) => Code !== undefined && Code !== 'None');
  if (others.length === 0 || !others.every(({ Code }) => contentionReasons.has(Code ?? ''))) {
    throw error;
  }
  return undefined;
};

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

/** Makes the client throw `temporarily_unavailable` for transient faults, after its own retries. */
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
