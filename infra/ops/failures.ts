// What a function could not do, for a record of the stream or for another function that asked: the
// queue that it is set aside in, read whole.

import * as z from 'zod/mini';
import { ImportRequest } from '#shared/domain/import-request.ts';

/** What was set aside, as one message says. What is `null` could not be read from it. */
export type Failure = {
  id: string;
  failedAt: string | null;
  functionName: string | null;
  reason: string;
  records: number | null;
  /** Where the stream has the first of them, for as long as it has. */
  shardId: string | null;
  sequenceNumber: string | null;
  firstArrivedAt: string | null;
  /** Where another function asked for it: which import was to run. */
  request: ImportRequest | null;
};

export type FailureQueue = {
  /**
   * Shows `work` every failure there is, then removes those that it has handled and leaves the
   * others. Where `work` throws, all are left.
   */
  process<Result>(
    work: (
      failures: readonly Failure[],
    ) => Promise<{ handled: readonly Failure[]; result: Result }>,
  ): Promise<Result>;
};

/** A message of which nothing is known but that it is there. */
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
 * What Lambda says of an asynchronous invocation that it gave up on (AWS Lambda Developer Guide,
 * "Capturing records of Lambda asynchronous invocations").
 */
const FailedInvocation = z.object({
  requestContext: z.object({ functionArn: z.string(), condition: z.string() }),
  timestamp: z.iso.datetime(),
  requestPayload: z.unknown(),
});

/** The failure that such a message tells of, if it is one. */
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
