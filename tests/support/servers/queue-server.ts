// A stand-in for the part of SQS that the operator's tool uses, in its JSON protocol: messages that
// are held for a time when they are received (Amazon SQS API Reference).

import { createHash, randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { listen } from '#infra/http-server.ts';

const GetQueueUrl = z.strictObject({ QueueName: z.string() });
const Receive = z.strictObject({
  QueueUrl: z.string(),
  MaxNumberOfMessages: z.int().check(z.minimum(1), z.maximum(10)),
  VisibilityTimeout: z.int(),
  WaitTimeSeconds: z.int(),
});
const batchOf = (entry: object) =>
  z.strictObject({
    QueueUrl: z.string(),
    Entries: z
      .array(z.strictObject({ Id: z.string(), ReceiptHandle: z.string(), ...entry }))
      .check(z.minLength(1), z.maxLength(10)),
  });
const DeleteBatch = batchOf({});
const VisibilityBatch = batchOf({ VisibilityTimeout: z.literal(0) });

type Held = { id: string; body: string; receipt: string; heldUntil: number };

class QueueError extends Error {}

export const startQueue = async (queueName: string) => {
  const messages: Held[] = [];
  const withReceipt = (receipt: string) => messages.find((it) => it.receipt === receipt);
  const successful = (entries: { Id: string }[]) => ({
    Successful: entries.map(({ Id }) => ({ Id })),
    Failed: [],
  });

  const receive = (input: z.infer<typeof Receive>) => {
    const visible = messages.filter(({ heldUntil }) => heldUntil <= Date.now());
    const received = visible.slice(0, input.MaxNumberOfMessages);
    for (const message of received) {
      message.receipt = randomUUID();
      message.heldUntil = Date.now() + input.VisibilityTimeout * 1000;
    }
    return {
      Messages: received.map(({ id, body, receipt }) => ({
        MessageId: id,
        ReceiptHandle: receipt,
        Body: body,
        MD5OfBody: createHash('md5').update(body).digest('hex'),
      })),
    };
  };

  const carryOut = (operation: string, input: unknown): object => {
    switch (operation) {
      case 'AmazonSQS.GetQueueUrl':
        if (GetQueueUrl.parse(input).QueueName !== queueName) throw new QueueError('no such queue');
        return { QueueUrl: `${endpoint}/123456789012/${queueName}` };
      case 'AmazonSQS.ReceiveMessage':
        return receive(Receive.parse(input));
      case 'AmazonSQS.DeleteMessageBatch': {
        const { Entries } = DeleteBatch.parse(input);
        const gone = new Set(Entries.map(({ ReceiptHandle }) => withReceipt(ReceiptHandle)));
        messages.splice(0, Infinity, ...messages.filter((message) => !gone.has(message)));
        return successful(Entries);
      }
      case 'AmazonSQS.ChangeMessageVisibilityBatch': {
        const { Entries } = VisibilityBatch.parse(input);
        for (const { ReceiptHandle } of Entries) {
          const message = withReceipt(ReceiptHandle);
          if (message) message.heldUntil = 0;
        }
        return successful(Entries);
      }
      default:
        throw new Error(`${operation} is not served here`);
    }
  };

  const answer = (operation: string, input: unknown): { status: number; body: object } => {
    try {
      return { status: 200, body: carryOut(operation, input) };
    } catch (error) {
      const name = error instanceof QueueError ? 'QueueDoesNotExist' : 'InvalidParameterValue';
      const __type = `com.amazonaws.sqs#${name}`;
      return { status: 400, body: { __type, message: (error as Error).message } };
    }
  };

  const serve: RequestListener = async (request, response) => {
    const input: unknown = JSON.parse(await text(request));
    const { status, body } = answer(String(request.headers['x-amz-target']), input);
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(body));
  };
  const { port, stop } = await listen(serve, { port: 0, purpose: 'queue' });
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    send: (...bodies: string[]) => {
      for (const body of bodies) {
        messages.push({ id: randomUUID(), body, receipt: '', heldUntil: 0 });
      }
    },
    /** The messages in the queue, and whether they are visible. */
    content: () =>
      messages.map(({ body, heldUntil }) => ({ body, isVisible: heldUntil <= Date.now() })),
    stop,
  };
};

/** What Lambda says of a batch of a stream that it gave up on. */
export const failedBatch = ({
  functionName = 'ledger-test-start-imports',
  arrivedAt = '2026-03-23T09:20:00Z',
}: {
  functionName?: string;
  arrivedAt?: string;
} = {}): string =>
  JSON.stringify({
    requestContext: {
      functionArn: `arn:aws:lambda:eu-west-1:123456789012:function:${functionName}`,
      condition: 'RetryAttemptsExhausted',
    },
    timestamp: '2026-03-23T09:25:49.717Z',
    DDBStreamBatchInfo: {
      shardId: 'shardId-00000001573689847184-864758bb',
      startSequenceNumber: '800000000003126276362',
      approximateArrivalOfFirstRecord: arrivedAt,
      approximateArrivalOfLastRecord: arrivedAt,
      batchSize: 1,
    },
  });

/** What Lambda says of an asynchronous invocation that it gave up on. */
export const failedInvocation = (requestPayload: unknown): string =>
  JSON.stringify({
    version: '1.0',
    timestamp: '2026-03-23T09:25:49.717Z',
    requestContext: {
      requestId: 'e4b46cbf-b738-4ebc-8880-a18cdf61200e',
      functionArn:
        'arn:aws:lambda:eu-west-1:123456789012:function:ledger-test-import-tenant-data:$LATEST',
      condition: 'RetriesExhausted',
      approximateInvokeCount: 3,
    },
    requestPayload,
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    responsePayload: { errorMessage: 'Process exited before completing request' },
  });
