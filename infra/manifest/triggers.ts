// The kinds of triggers that start a function, with their settings.

/** The texts that the new image of a record has in these attributes, or that it has any text. */
export type StreamFilter = Readonly<Record<string, string | { exists: true }>>;

export type Trigger =
  | { kind: 'api'; method: 'GET' | 'POST'; path: string }
  | { kind: 'authorizer'; cacheSeconds: number }
  | { kind: 'url'; path: string }
  | { kind: 'schedule'; everyMinutes: number }
  | {
      kind: 'stream';
      /** The function gets the records that pass one of these filters. */
      filters: readonly StreamFilter[];
      batchSize: number;
      /** `until_expired`: as long as the stream has the record, 24 hours. */
      maximumRetries: number | 'until_expired';
    }
  | {
      /**
       * An asynchronous invocation by another function. While all executions are in use, it waits
       * in Lambda's queue, "up to 6 hours by default", and Lambda tries again after a second to
       * five minutes (AWS Lambda Developer Guide, "How Lambda handles errors and retries with
       * asynchronous invocation"). The order is roughly first in, first out, without a guarantee.
       */
      kind: 'invocation';
      /** The only functions that may invoke this one. */
      by: readonly string[];
      /** Retries after a failure: Lambda allows two, after one minute and two minutes. */
      maximumRetries: 0 | 1 | 2;
      /** The maximum time in the queue, retries included. Lambda allows six hours. */
      maximumAgeSeconds: number;
    };
