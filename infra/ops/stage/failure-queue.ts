// The failure queue of a deployed stage. Lambda sends a message to it for each batch of stream
// records and each asynchronous invocation whose retries are exhausted.

import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { CommandFailure } from '../errors.ts';
import {
  type Failure,
  type FailureQueue,
  failedInvocationOf,
  functionNameIn,
  unknownFailure,
} from './failures.ts';
import { readJson } from './read-json.ts';

/**
 * The message for a discarded batch. It has the position of the records, not their content
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

/** Hides received messages from other readers. Longer than any command takes. */
const visibilityTimeoutSeconds = 300;

/** Long polling queries all servers of the queue; short polling only some. */
const longPollSeconds = 1;

const maximumBatchSize = 10;

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

export const openFailureQueue = (client: SQSClient, queueName: string): FailureQueue => {
  /** Receives every message once. Stops when a receive returns no new message. */
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
        throw new CommandFailure(`${Failed.length} messages remain in ${queueName}; try again`);
      }
    }
  };

  return {
    process: async (work) => {
      const { QueueUrl = '' } = await client.send(new GetQueueUrlCommand({ QueueName: queueName }));
      const messages = await receiveAll({ QueueUrl });
      const handled = new Set<string>();
      try {
        const { handled: failures, result } = await work(messages.map(failureOf));
        for (const { id } of failures) handled.add(id);
        return result;
      } finally {
        const isHandled = ({ MessageId: id = '' }: Message): boolean => handled.has(id);
        await inBatches(messages.filter(isHandled), (Entries) =>
          client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries })),
        );
        const remaining = messages.filter((message) => !isHandled(message));
        await inBatches(remaining, (entries) =>
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
