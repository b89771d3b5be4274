// The stream trigger: Lambda delivers batches of changes to the table's items.

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { itemOf } from '../table/attribute-values.ts';
import type { Telemetry } from '../telemetry.ts';
import { instrument } from './instrumentation.ts';

export type StreamRecord = {
  /** The item after the change. Empty if the item was deleted. */
  item: Record<string, unknown>;
};

/** `outcome` is `success` or an error code. The log line contains the other fields. */
export type RecordSummary = { outcome: string; [field: string]: unknown };

/**
 * Handles records sequentially, because their order matters. It stops at the first failure and
 * reports it. The stream then retries from that record (AWS Lambda Developer Guide, "Reporting
 * batch item failures").
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
        await instrument(async () => handle({ item: itemOf(image) }), telemetry, {
          name: 'record',
          about: { request_id: context.awsRequestId, sequence_number: sequenceNumber },
          summarize: ({ outcome, ...fields }) => ({ outcome, status: 200, fields }),
        });
      } catch {
        // `instrument` has logged the error.
        return { batchItemFailures: [{ itemIdentifier: sequenceNumber }] };
      }
    }
    return { batchItemFailures: [] };
  };
};
