// Stream records that a function could not process: the queue they are set aside in, read whole.

/** Records that were set aside, as one message says. What is `null` could not be read from it. */
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
  lastArrivedAt: string | null;
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
  reason: 'not the message of a failed record',
  records: null,
  shardId: null,
  sequenceNumber: null,
  firstArrivedAt: null,
  lastArrivedAt: null,
});
