// The failure queue of a deployed stage, to which Lambda sends word of the stream records and the
// asynchronous invocations that it gave up on.

import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { CommandFailure } from './errors.ts';
import {
  type Failure,
  type FailureQueue,
  failedInvocationOf,
  functionNameIn,
  unknownFailure,
} from './failures.ts';

/**
 * What Lambda says of a batch it gave up on: where the stream has the records, not what they hold
 * (AWS Lambda Developer Guide, "Retain discarded batches from DynamoDB Streams").
 */
const FailedBatch = z.object({
  requestContext: z.object({ functionArn: z.string(), condition: z.string() }),
  timestamp: z.iso.datetime(),
  DDBStreamBatchInfo: z.object({
    shardId: z.string(),
    startSequenceNumber: z.string(),
    approximateArrivalOfFirstRecord: z.iso.datetime(),
    batchSize: z.int(),
  }),
});

/** For how long nobody else sees what is looked at: longer than any command takes. */
const visibilityTimeoutSeconds = 300;

/** A short wait asks all of the queue's servers and not just some of them. */
const longPollSeconds = 1;

const maximumBatchSize = 10;

const readJson = (text = ''): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const failureOf = ({ MessageId: id = '', Body }: Message): Failure => {
  const message = readJson(Body);
  const parsed = FailedBatch.safeParse(message);
  if (!parsed.success) return failedInvocationOf(id, message) ?? unknownFailure(id);
  const { requestContext, timestamp, DDBStreamBatchInfo: batch } = parsed.data;
  return {
    ...unknownFailure(id),
    failedAt: timestamp,
    functionName: functionNameIn(requestContext.functionArn),
    reason: requestContext.condition,
    records: batch.batchSize,
    shardId: batch.shardId,
    sequenceNumber: batch.startSequenceNumber,
    firstArrivedAt: batch.approximateArrivalOfFirstRecord,
  };
};

/** The queue by its name. It is looked up when it is first asked for. */
export const openFailureQueue = (client: SQSClient, queueName: string): FailureQueue => {
  /** Every message once: one that is held for too long comes again, and ends the reading. */
  const receiveAll = async (queue: { QueueUrl: string }): Promise<Message[]> => {
    const received = new Map<string, Message>();
    for (;;) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          ...queue,
          MaxNumberOfMessages: maximumBatchSize,
          VisibilityTimeout: visibilityTimeoutSeconds,
          WaitTimeSeconds: longPollSeconds,
        }),
      );
      const known = received.size;
      for (const message of Messages) received.set(message.MessageId ?? '', message);
      if (received.size === known) return [...received.values()];
    }
  };

  const inBatches = async (
    messages: readonly Message[],
    send: (
      entries: { Id: string; ReceiptHandle: string | undefined }[],
    ) => Promise<{ Failed?: unknown[] | undefined }>,
  ): Promise<void> => {
    for (let start = 0; start < messages.length; start += maximumBatchSize) {
      const batch = messages.slice(start, start + maximumBatchSize);
      const { Failed = [] } = await send(
        batch.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })),
      );
      if (Failed.length > 0) {
        throw new CommandFailure(`${Failed.length} messages stay in ${queueName}; try again`);
      }
    }
  };

  return {
    process: async (work) => {
      const { QueueUrl = '' } = await client.send(new GetQueueUrlCommand({ QueueName: queueName }));
      const messages = await receiveAll({ QueueUrl });
      const handled = new Set<string>();
      try {
        const { handled: done, result } = await work(messages.map(failureOf));
        for (const { id } of done) handled.add(id);
        return result;
      } finally {
        const isHandled = ({ MessageId: id = '' }: Message): boolean => handled.has(id);
        await inBatches(messages.filter(isHandled), (Entries) =>
          client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries })),
        );
        const left = messages.filter((message) => !isHandled(message));
        await inBatches(left, (entries) =>
          client.send(
            new ChangeMessageVisibilityBatchCommand({
              QueueUrl,
              Entries: entries.map((entry) => ({ ...entry, VisibilityTimeout: 0 })),
            }),
          ),
        );
      }
    },
  };
};
