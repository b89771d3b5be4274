// Builders of the events of the table's stream.

import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';

/** An event of changes in this order: inserted items, and `changed` ones. */
export const changeEvent = (
  changes: readonly { item: Record<string, unknown>; isChanged?: boolean }[],
): DynamoDBStreamEvent => ({
  Records: changes.map(({ item, isChanged = false }, index): DynamoDBRecord => {
    const image = marshall(item) as NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];
    return {
      eventID: `event-${index}`,
      eventName: isChanged ? 'MODIFY' : 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'eu-west-1',
      eventSourceARN: 'arn:aws:dynamodb:eu-west-1:123456789012:table/ledger/stream/2026-03-23',
      dynamodb: {
        ApproximateCreationDateTime: 1774258200,
        ...(image && { NewImage: image }),
        SequenceNumber: String(index + 1),
        SizeBytes: 1,
        StreamViewType: 'NEW_IMAGE',
      },
    };
  }),
});

/** A stream event of items that were just written, in this order. */
export const streamEvent = (...items: Record<string, unknown>[]): DynamoDBStreamEvent =>
  changeEvent(items.map((item) => ({ item })));
