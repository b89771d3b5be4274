// How another function of ours calls us, asynchronously: its payload in, nothing out. This is the
// sixth trigger beside api, authorizer, url, schedule and stream: work that takes long must not
// hold a place in the stream, so a function that reads the stream asks Lambda for a run of its own.

import type { Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import { instrument, type Telemetry } from './instrumentation.ts';

export type Invocation<Payload> = {
  payload: Payload;
  /** Milliseconds left before the function is stopped. */
  remainingMilliseconds: () => number;
};

/** What became of it: `success`, or a code that says why not, and fields for the log. */
export type InvocationSummary = { outcome: string; [field: string]: unknown };

/**
 * Whatever `handle` throws is thrown on, so that Lambda calls again (AWS Lambda Developer Guide,
 * "How Lambda handles errors and retries with asynchronous invocation"). Lambda may call twice for
 * one request as well: `handle` must be idempotent.
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
