// The invocation trigger: another function invokes ours asynchronously with a payload. A stream
// handler uses it for long work, which would otherwise block its shard.

import type { Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Telemetry } from '../telemetry.ts';
import { instrument } from './instrumentation.ts';

type Invocation<Payload> = {
  payload: Payload;
  /** The milliseconds before Lambda stops the function. */
  remainingMilliseconds: () => number;
};

/** `outcome` is `success` or an error code. The log line contains the other fields. */
export type InvocationSummary = { outcome: string; [field: string]: unknown };

/**
 * Errors of `handle` are rethrown, so Lambda retries (AWS Lambda Developer Guide, "How Lambda
 * handles errors and retries with asynchronous invocation"). Lambda can also deliver an invocation
 * twice, so `handle` must be idempotent.
 */
export const createInvocationHandler = <Schema extends z.ZodMiniType>(
  schema: Schema,
  handle: (invocation: Invocation<z.output<Schema>>) => Promise<InvocationSummary>,
  telemetry: Telemetry,
) => {
  return async (event: unknown, context: Context): Promise<void> => {
    const remainingMilliseconds = () => context.getRemainingTimeInMillis();
    await instrument(
      async () => handle({ payload: schema.parse(event), remainingMilliseconds }),
      telemetry,
      {
        name: 'invocation',
        about: { request_id: context.awsRequestId },
        summarize: ({ outcome, ...fields }) => ({ outcome, status: 200, fields }),
      },
    );
  };
};
