// What starts a function: the kinds of triggers, each with what its function needs to be known.

export type Trigger =
  | { kind: 'api'; method: 'GET' | 'POST'; path: string }
  | { kind: 'authorizer'; cacheSeconds: number }
  | { kind: 'url'; path: string }
  | { kind: 'schedule'; everyMinutes: number }
  | {
      kind: 'stream';
      /** The new images that start the function: these attributes with these values. */
      newImage: Readonly<Record<string, string>>;
      batchSize: number;
      maximumRetries: number;
    }
  | {
      /**
       * Another function asks Lambda for a run, which waits in Lambda's own queue while all
       * executions of this one are taken: "up to 6 hours by default", tried again after a second
       * and at most five minutes (AWS Lambda Developer Guide, "How Lambda handles errors and
       * retries with asynchronous invocation"). What waits is tried about in its order, which
       * Lambda does not promise.
       */
      kind: 'invocation';
      /** The function that may ask, and nobody else. */
      by: string;
      /** After a failure: Lambda allows two, a minute and then two minutes later. */
      maximumRetries: 0 | 1 | 2;
      /** How long a request may wait, its retries included: at most six hours. */
      maximumAgeSeconds: number;
    };
