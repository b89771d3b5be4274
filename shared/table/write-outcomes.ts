// How a write ended, as the table's replies and refusals say it.

import {
  ConditionalCheckFailedException,
  type TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/**
 * How a transaction ended. `failed` lists the actions whose condition did not hold, by their place
 * in the list, with the item that stood in the way; `contended` says that others met contention.
 */
export type Outcome =
  | { committed: true }
  | {
      committed: false;
      failed: Map<number, Record<string, unknown> | undefined>;
      contended: boolean;
    };

/** Reasons for which the same transaction may succeed a moment later. */
const contentionReasons = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

/** Writes one item: `condition_failed` if the condition fails, `undefined` on contention. */
export const singleWrite = async <Result>(
  write: () => Promise<Result>,
): Promise<Result | 'condition_failed' | undefined> => {
  try {
    return await write();
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return 'condition_failed';
    if (error instanceof TransactionConflictException) return undefined;
    throw error;
  }
};

/**
 * Reads a cancelled transaction: a failed condition is an outcome, contention alone is a reason to
 * try again (`undefined`), anything else is an error.
 */
export const outcomeOf = (error: TransactionCanceledException): Outcome | undefined => {
  const reasons = (error.CancellationReasons ?? []).map((reason, index) => ({ ...reason, index }));
  const failed = reasons.filter(({ Code }) => Code === 'ConditionalCheckFailed');
  if (failed.length > 0) {
    return {
      committed: false,
      failed: new Map(failed.map(({ index, Item }) => [index, Item && unmarshall(Item)])),
      contended: reasons.some(({ Code }) => contentionReasons.has(Code ?? '')),
    };
  }
  const others = reasons.filter(({ Code }) => Code !== undefined && Code !== 'None');
  if (others.length === 0 || !others.every(({ Code }) => contentionReasons.has(Code ?? ''))) {
    throw error;
  }
  return undefined;
};
