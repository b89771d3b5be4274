// The kinds of triggers that start a function, with their settings.

export type Trigger =
  | { kind: 'api'; method: 'GET' | 'POST'; path: string }
  | { kind: 'authorizer'; cacheSeconds: number }
  | { kind: 'url'; path: string }
  | { kind: 'schedule'; everyMinutes: number }
  | {
      kind: 'stream';
      /** The function gets records whose new image has these values. */
      newImage: Readonly<Record<string, string>>;
      batchSize: number;
      maximumRetries: number;
    }
  | {
      /**
       * An asynchronous invocation by another function. While all executions are in use, it waits
       * in Lambda's queue, "up to 6 hours by default", and Lambda tries again after a second to
       * five minutes (AWS Lambda Developer Guide, "How Lambda handles errors and retries with
       * asynchronous invocation"). The order is roughly first in, first out, without a guarantee.
       */
      kind: 'invocation';
      /** The only function that may invoke this one. */
      by: string;
      /** Retries after a failure: Lambda allows two, after one minute and two minutes. */
      maximumRetries: 0 | 1 | 2;
      /** The maximum time in the queue, retries included. Lambda allows six hours. */
      maximumAgeSeconds: number;
    };
