// What is left of work that was answered already, since its time had run out. Lambda freezes it
// with its process after the reply and wakes both with the next request, minutes later: an entry
// would be posted then of which its caller has long found that there is none, and into a period
// that was locked since.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ApiError } from './errors.ts';

const current = new AsyncLocalStorage<{ isAnswered: boolean }>();

/** Does the work; whatever it leaves behind calls the table no more. */
export const withoutOrphans = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const state = { isAnswered: false };
  try {
    return await current.run(state, work);
  } finally {
    state.isAnswered = true;
  }
};

/** Makes the client refuse the calls of orphaned work, and each attempt to repeat one. */
export const refuseOrphans = ({
  middlewareStack,
}: Pick<DynamoDBClient, 'middlewareStack'>): void => {
  middlewareStack.add(
    (next) => async (args) => {
      if (current.getStore()?.isAnswered) {
        const cause = new Error('the work that calls was answered already');
        throw new ApiError('temporarily_unavailable', { retryAfterSeconds: 1, cause });
      }
      return next(args);
    },
    // Behind the SDK's retries, which come first in this step.
    { step: 'finalizeRequest', priority: 'low', name: 'orphanedWork' },
  );
};
