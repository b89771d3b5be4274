// How the table's stream calls us: batches of DynamoDB records in, the first failure out.

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { instrument, type Telemetry } from './instrumentation.ts';

export type StreamRecord = {
  /** The item after the change; empty where it was removed. */
  item: Record<string, unknown>;
};

/** What became of a record: `success`, or a code that says why not, and fields for the log. */
export type RecordSummary = { outcome: string; [field: string]: unknown };

/**
 * Handles records one after the other, since their order means something. At the first failure it
 * stops and reports it, so that the stream retries from that record on (AWS Lambda Developer
 * Guide, "Reporting batch item failures").
 */
export const createStreamHandler = (
  handle: (record: StreamRecord) => Promise<RecordSummary>,
  telemetry: Telemetry,
) => {
  return async (event: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> => {
    for (const { dynamodb } of event.Records) {
      const sequenceNumber = dynamodb?.SequenceNumber ?? '';
      try {
        const image = (dynamodb?.NewImage ?? {}) as Record<string, AttributeValue>;
        await instrument(async () => handle({ item: unmarshall(image) }), telemetry, {
          name: 'record',
          about: { request_id: context.awsRequestId, sequence_number: sequenceNumber },
          summarize: ({ outcome, ...fields }) => ({ outcome, status: 200, fields }),
        });
      } catch {
        // Why it failed is in its log line.
        return { batchItemFailures: [{ itemIdentifier: sequenceNumber }] };
      }
    }
    return { batchItemFailures: [] };
  };
};
