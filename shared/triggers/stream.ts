// How the table's stream calls us: batches of DynamoDB records in, the first failure out.

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { Log } from '../log.ts';
import { measureUsage } from '../usage.ts';

export type StreamRecord = {
  /** The item after the change; empty where it was removed. */
  item: Record<string, unknown>;
  remainingMilliseconds: () => number;
};

/**
 * Handles records one after the other, since their order means something. At the first failure it
 * stops and reports it, so that the stream retries from that record on (AWS Lambda Developer
 * Guide, "Reporting batch item failures").
 */
export const createStreamHandler = (
  handle: (record: StreamRecord) => Promise<Record<string, unknown>>,
  { log }: { log: Log },
) => {
  return async (event: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> => {
    for (const { dynamodb } of event.Records) {
      const sequenceNumber = dynamodb?.SequenceNumber ?? '';
      try {
        const image = (dynamodb?.NewImage ?? {}) as Record<string, AttributeValue>;
        const { result, usage } = await measureUsage(() =>
          handle({
            item: unmarshall(image),
            remainingMilliseconds: () => context.getRemainingTimeInMillis(),
          }),
        );
        log.info('record', { ...result, table_calls: usage.calls.length });
      } catch (error) {
        log.error('record failed', { sequence_number: sequenceNumber, error });
        return { batchItemFailures: [{ itemIdentifier: sequenceNumber }] };
      }
    }
    return { batchItemFailures: [] };
  };
};
