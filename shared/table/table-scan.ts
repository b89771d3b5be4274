// Reads the whole table, which no function may: for the operator's tool and for migrations.

import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Item } from './table.ts';

export type TableScan = ReturnType<typeof openTableScan>;

export const openTableScan = (tableName: string, config: DynamoDBClientConfig = {}) => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(config));
  return {
    /** Yields the pages of a scan, strongly consistent. It costs as much as every item it reads. */
    pages: async function* (filter: Partial<ScanCommandInput> = {}): AsyncGenerator<Item[]> {
      const input = { TableName: tableName, ConsistentRead: true, ...filter };
      for await (const { Items = [] } of paginateScan({ client }, input)) yield Items;
    },
    close: (): void => client.destroy(),
  };
};
