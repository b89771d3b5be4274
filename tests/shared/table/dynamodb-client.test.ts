// Holds the table's client to the SDK's own client: the same requests, replies and errors.

import { text } from 'node:stream/consumers';
import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  type TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { openDynamoDBClient, openPostCalls } from '#shared/table/dynamodb-client.ts';
import { serve } from '../../support/servers/serve.ts';

type Exchange = { headers: Record<string, unknown>; body: unknown };

let answer = { status: 200, body: '{}' };
const exchanges: Exchange[] = [];
const server = await serve(async (request, response) => {
  exchanges.push({ headers: request.headers, body: JSON.parse(await text(request)) });
  response.writeHead(answer.status, {
    'Content-Type': 'application/x-amz-json-1.0',
    'x-amzn-RequestId': 'request-1',
  });
  response.end(answer.body);
});
afterAll(server.stop);

const config = {
  endpoint: server.url,
  region: 'eu-west-1',
  credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  maxAttempts: 1,
};
const original = new DynamoDBClient(config);
const client = openDynamoDBClient(config);
const { batchGet, transactWrite } = openPostCalls(client);

const key = { pk: { S: 'partition' }, sk: { S: 'ENTRY#2026-03-24 – 日本 "quoted" \u2028 😀' } };
const item = {
  ...key,
  amount: { N: '12.50' },
  lines: { L: [{ M: { debit: { S: '' }, isCash: { BOOL: true }, memo: { NULL: true } } }] },
};
const read = { RequestItems: { books: { Keys: [key], ConsistentRead: true } } };
const write = {
  ClientRequestToken: 'token',
  TransactItems: [{ Put: { TableName: 'books', Item: item, ConditionExpression: undefined } }],
};

const calls = {
  'a batch read': [() => original.send(new BatchGetItemCommand(read)), () => batchGet(read)],
  'a transaction': [
    () => original.send(new TransactWriteItemsCommand(write)),
    () => transactWrite(write),
  ],
  'another call': [
    () => original.send(new GetItemCommand({ TableName: 'books', Key: key })),
    () => client.send(new GetItemCommand({ TableName: 'books', Key: key })),
  ],
} as const;

/** The result or the error of a call, with everything that stores and logs read of it. */
const resultOf = async (call: () => Promise<object>) => {
  try {
    return await call();
  } catch (error) {
    const { name, message, CancellationReasons, $metadata, $fault } =
      error as TransactionCanceledException;
    const type = (error as object).constructor.name;
    return { type, name, message, CancellationReasons, $metadata, $fault };
  }
};

const requestOf = ({ headers, body }: Exchange) => {
  const { host, 'content-type': type, 'content-length': length, 'x-amz-target': target } = headers;
  return { host, type, length, target, body, isSigned: 'authorization' in headers };
};

const errorBody = (name: string, more: object) =>
  JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, ...more });

const answers = {
  'items and capacity': {
    status: 200,
    body: JSON.stringify({
      Item: item,
      Responses: { books: [item, { ...key, list: { L: [] } }] },
      UnprocessedKeys: { books: { Keys: [key], ConsistentRead: true } },
      ConsumedCapacity: [{ TableName: 'books', CapacityUnits: 2.5 }],
    }),
  },
  'a failed condition with the current item': {
    status: 400,
    body: errorBody('TransactionCanceledException', {
      Message: 'Transaction cancelled',
      CancellationReasons: [{ Code: 'ConditionalCheckFailed', Item: item, Message: 'No' }],
    }),
  },
  'a throttle': { status: 400, body: errorBody('ThrottlingException', { message: 'Slow down' }) },
  'an unknown error': { status: 418, body: errorBody('TeapotException', { message: 'Tea' }) },
  'a fault without a body': { status: 503, body: '' },
};

describe.each(Object.entries(calls))('%s is like the SDK’s own', (_, [expected, actual]) => {
  test.each(Object.entries(answers))('with %s', async (_name, given) => {
    answer = given;
    exchanges.length = 0;
    // The SDK leaves out fields that the call does not have.
    expect(await resultOf(actual)).toMatchObject(await resultOf(expected));
    const [one, other] = exchanges.map(requestOf);
    expect(one).toEqual(other);
    expect(one?.isSigned).toBe(true);
  });
});
