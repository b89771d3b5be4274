// The stream trigger: Lambda delivers batches of changes to the table's items.

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
} from 'aws-lambda';
import { itemOf } from '../table/attribute-values.ts';
import type { Telemetry } from '../telemetry.ts';
import { instrument } from './instrumentation.ts';

export type StreamRecord = {
  /** The item after the change. Empty if the item was deleted. @throws if it cannot be read */
  readonly item: Record<string, unknown>;
  key: { pk: string | undefined; sk: string | undefined };
  isNew: boolean;
  /** The stream's label: the time at which it began. */
  stream: string;
  sequenceNumber: string;
  /** The time of the change, to the second (ISO 8601). */
  changedAt: string;
};

/** `outcome` is `success` or an error code. The log line contains the other fields. */
type RecordSummary = { outcome: string; [field: string]: unknown };

const recordOf = ({ dynamodb, eventName, eventSourceARN }: DynamoDBRecord): StreamRecord => ({
  get item() {
    return itemOf((dynamodb?.NewImage ?? {}) as Record<string, AttributeValue>);
  },
  key: { pk: dynamodb?.Keys?.pk?.S, sk: dynamodb?.Keys?.sk?.S },
  isNew: eventName === 'INSERT',
  // arn:aws:dynamodb:<region>:<account>:table/<name>/stream/<label>
  stream: eventSourceARN?.split('/stream/')[1] ?? '',
  sequenceNumber: dynamodb?.SequenceNumber ?? '',
  changedAt: new Date((dynamodb?.ApproximateCreationDateTime ?? 0) * 1_000).toISOString(),
});

const failedFrom = (...sequenceNumbers: string[]): DynamoDBBatchResponse => ({
  batchItemFailures: sequenceNumbers.map((itemIdentifier) => ({ itemIdentifier })),
});

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
    for (const record of event.Records.map(recordOf)) {
      const { sequenceNumber } = record;
      try {
        await instrument(async () => handle(record), telemetry, {
          name: 'record',
          about: { request_id: context.awsRequestId, sequence_number: sequenceNumber },
          summarize: ({ outcome, ...fields }) => ({ outcome, status: 200, fields }),
        });
      } catch {
        // `instrument` has logged the error.
        return failedFrom(sequenceNumber);
      }
    }
    return failedFrom();
  };
};

/** `failed` has the records that the stream must deliver again, with all records after them. */
type BatchSummary = RecordSummary & { failed: readonly StreamRecord[] };

/** Handles the records of a batch together. Handling a record again must be harmless. */
export const createStreamBatchHandler = (
  handle: (records: StreamRecord[]) => Promise<BatchSummary>,
  telemetry: Telemetry,
) => {
  return async (event: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> => {
    const records = event.Records.map(recordOf);
    const { failed } = await instrument(async () => handle(records), telemetry, {
      name: 'batch',
      about: { request_id: context.awsRequestId },
      summarize: ({ outcome, failed: _, ...fields }) => ({ outcome, status: 200, fields }),
    });
    const first = records.find((record) => failed.includes(record));
    return first === undefined ? failedFrom() : failedFrom(first.sequenceNumber);
  };
};
