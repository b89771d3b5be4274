// Calls to the table without signatures: the local engines check none, and computing them took an
// eighth of the processor time of the tests. dynamodb-client.test.ts compares signed calls, and
// the functions sign all calls if a test starts them from their entry points.

import { randomUUID } from 'node:crypto';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

// Engines that keep the data of each access key apart are many times faster with few tables in it.
const accessKey = randomUUID().replaceAll('-', '');
process.env.AWS_ACCESS_KEY_ID = accessKey;

const headers = {
  authorization:
    `AWS4-HMAC-SHA256 Credential=${accessKey}/20260101/eu-west-1/dynamodb/aws4_request, ` +
    'SignedHeaders=host, Signature=none',
  'x-amz-date': '20260101T000000Z',
};

/** Settings of a client. */
export const unsigned = {
  signer: {
    sign: async (request) => {
      Object.assign(request.headers, headers);
      return request;
    },
  },
} satisfies DynamoDBClientConfig;
