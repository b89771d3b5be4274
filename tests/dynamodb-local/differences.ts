// Where DynamoDB Local differs from DynamoDB, and which tests do not run on it for that.

export type Difference = {
  /** What is different, as a sentence. */
  reason: string;
  /** The tests, by their titles. */
  tests: readonly string[];
};

export const differences: readonly Difference[] = [
  {
    reason: 'DynamoDB Local counts no capacity for reading an item that is not there.',
    tests: ['costs the same steps whether its id is known or not'],
  },
  {
    reason: 'DynamoDB Local counts an update within a transaction like one outside of it.',
    tests: ['is one transaction where one account of many changed'],
  },
  {
    reason:
      'DynamoDB Local takes ten milliseconds or more for a transaction, and one at a time: of so ' +
      'many at once the last wait longer than a call of ours may take, and are told to come again.',
    tests: [
      '64 posts into one tenant and date get 1 to 64 without a gap',
      '64 concurrent posts into one tenant and date get 1 to 64 without a gap',
      'sent 64 times at once makes one entry and 64 identical answers',
      'is found among very many',
    ],
  },
  {
    reason: 'These are about the embedded engine itself: its process and its file.',
    tests: [
      'SIGINT stops it and leaves no process',
      'SIGTERM stops it and leaves no process',
      'its data is for its owner alone',
      'it ends, and says why, when its database does',
      'what is lost all the same is noticed',
    ],
  },
];
