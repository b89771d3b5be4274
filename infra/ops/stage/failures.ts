// The stream records and asynchronous invocations that functions failed to process.

import * as z from 'zod/mini';
import { ImportRequest } from '#shared/imports/import-request.ts';

/** One message of the queue. A field is `null` if the message does not have it. */
export type Failure = {
  id: string;
  failedAt: string | null;
  functionName: string | null;
  reason: string;
  records: number | null;
  /** Position of the first record in the stream, which retains records for 24 hours. */
  shardId: string | null;
  sequenceNumber: string | null;
  firstArrivedAt: string | null;
  /** The import that an invocation requested. */
  request: ImportRequest | null;
};

export type FailureQueue = {
  /**
   * Passes all failures to `work`, then removes the ones it returns as handled. Removes none if
   * `work` throws.
   */
  process<Result>(
    work: (
      failures: readonly Failure[],
    ) => Promise<{ handled: readonly Failure[]; result: Result }>,
  ): Promise<Result>;
};

/** A failure with an unknown message format. */
export const unknownFailure = (id: string): Failure => ({
  id,
  failedAt: null,
  functionName: null,
  reason: 'not the message of a failed record or invocation',
  records: null,
  shardId: null,
  sequenceNumber: null,
  firstArrivedAt: null,
  request: null,
});

/** arn:aws:lambda:<region>:<account>:function:<name>[:<version>] */
export const functionNameIn = (arn: string): string | null => arn.split(':')[6] ?? null;

/**
 * The message for a failed asynchronous invocation (AWS Lambda Developer Guide, "Capturing records
 * of Lambda asynchronous invocations").
 */
const FailedInvocation = z.object({
  requestContext: z.object({ functionArn: z.string(), condition: z.string() }),
  timestamp: z.iso.datetime(),
  requestPayload: z.unknown(),
});

/** @returns undefined if the message is not about a failed invocation */
export const failedInvocationOf = (id: string, message: unknown): Failure | undefined => {
  const parsed = FailedInvocation.safeParse(message);
  if (!parsed.success) return undefined;
  const { requestContext, timestamp, requestPayload } = parsed.data;
  return {
    ...unknownFailure(id),
    failedAt: timestamp,
    functionName: functionNameIn(requestContext.functionArn),
    reason: requestContext.condition,
    request: ImportRequest.safeParse(requestPayload).data ?? null,
  };
};
