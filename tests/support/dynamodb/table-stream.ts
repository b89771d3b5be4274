// The changes of a test table, from its real stream, as Lambda brings them to record-events.

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type _Record,
  DescribeStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { openStreamsClient, passesFilter } from '#infra/local/stand-ins/stream.ts';
import { functions } from '#infra/manifest/manifest.ts';
import { ensureTable } from '#infra/manifest/table.ts';

const { trigger } = functions['record-events'];

export const openTableStream = async ({
  tableName,
  endpoint,
}: {
  tableName: string;
  endpoint: string;
}) => {
  const StreamArn = await ensureTable(new DynamoDBClient({ endpoint }), tableName);
  const client = openStreamsClient(endpoint);
  const reached = new Map<string, string | undefined>();

  const readShard = async (ShardId: string): Promise<_Record[]> => {
    let iterator = reached.has(ShardId)
      ? reached.get(ShardId)
      : (
          await client.send(
            new GetShardIteratorCommand({
              StreamArn,
              ShardId,
              ShardIteratorType: 'TRIM_HORIZON',
            }),
          )
        ).ShardIterator;
    const records: _Record[] = [];
    while (iterator !== undefined) {
      const page = await client.send(new GetRecordsCommand({ ShardIterator: iterator }));
      records.push(...(page.Records ?? []));
      iterator = page.NextShardIterator;
      if ((page.Records ?? []).length === 0) break;
    }
    reached.set(ShardId, iterator);
    return records;
  };

  return {
    /** The records since the last call that the function's filters let through. */
    read: async (): Promise<DynamoDBStreamEvent> => {
      const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn }));
      const shards = (StreamDescription?.Shards ?? []).flatMap(({ ShardId }) => ShardId ?? []);
      const records = (await Promise.all(shards.map(readShard))).flat();
      return {
        Records: records
          .filter((record) => passesFilter(record, trigger))
          .map((record) => ({ ...record, eventSourceARN: StreamArn })),
      } as unknown as DynamoDBStreamEvent;
    },
  };
};
