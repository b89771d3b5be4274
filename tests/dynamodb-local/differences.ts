// Where DynamoDB Local differs from DynamoDB, and which tests do not run on it for that.

export type Difference = {
  /** The difference, as a sentence. */
  reason: string;
  /** The tests, by their titles. */
  tests: readonly string[];
};

export const differences: readonly Difference[] = [
  {
    reason: 'DynamoDB Local counts no capacity for the items of a batch read that are not there.',
    tests: ['costs the same steps whether its id is known or not'],
  },
  {
    reason: 'DynamoDB Local counts those actions of a transaction once with the same capacity.',
    tests: [
      'costs two calls, 5 units read and 6 written',
      'is one transaction where one account of many changed, or all their codes',
      'can be an integer, and costs no further call',
    ],
  },
  {
    reason:
      'DynamoDB Local needs ten milliseconds or more for a transaction, and runs them nearly one ' +
      'by one: of 64 concurrent posts, the last exceed the time of a request. ' +
      'posts-at-once.test.ts sends them again.',
    tests: ['64 posts into one tenant and date get 1 to 64 without a gap'],
  },
  {
    reason: 'These are about the embedded engine itself: its process and its file.',
    tests: [
      'SIGINT stops it, and the next start finds all, with the same demo key',
      '%s stops it and leaves no process',
      'its data is for its owner alone',
      'it ends, and says why, when its database does',
    ],
  },
];
