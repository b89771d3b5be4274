// Stops work that continues after its request was answered with a timeout. Lambda freezes the
// process after the reply and resumes it at the next request. An entry could then be posted minutes
// after its caller was told that it failed, even into a period locked in the meantime.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ApiError } from './errors.ts';

const current = new AsyncLocalStorage<{ isAnswered: boolean }>();

/** Runs the work. After it has settled, everything that it started cannot call the table. */
export const withoutOrphans = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const state = { isAnswered: false };
  try {
    return await current.run(state, work);
  } finally {
    state.isAnswered = true;
  }
};

/** Makes the client refuse calls of orphaned work, including retries. */
export const refuseOrphans = ({
  middlewareStack,
}: Pick<DynamoDBClient, 'middlewareStack'>): void => {
  middlewareStack.add(
    (next) => async (args) => {
      if (current.getStore()?.isAnswered) {
        const cause = new Error('the request of this call was already answered');
        throw new ApiError('temporarily_unavailable', { retryAfterSeconds: 1, cause });
      }
      return next(args);
    },
    // After the SDK's retry middleware, so each retry passes through this check.
    { step: 'finalizeRequest', priority: 'low', name: 'orphanedWork' },
  );
};
