// Scans the whole table, for the operator's tool and migrations. No function may do this.

import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Item } from './table.ts';

export type TableScan = ReturnType<typeof openTableScan>;

export const openTableScan = (tableName: string, config: DynamoDBClientConfig = {}) => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(config));

  /** Yields the pages of a strongly consistent scan. A filter does not reduce its read units. */
  async function* pages(filter: Partial<ScanCommandInput> = {}): AsyncGenerator<Item[]> {
    const input = { TableName: tableName, ConsistentRead: true, ...filter };
    for await (const { Items = [] } of paginateScan({ client }, input)) yield Items;
  }

  return {
    pages,

    /** Yields the items with one of these sort keys. */
    itemsWithSort: async function* (...sorts: string[]): AsyncGenerator<Item> {
      const values = Object.fromEntries(sorts.map((sort, index) => [`:sort${index}`, sort]));
      const filter = {
        FilterExpression: `sk IN (${Object.keys(values).join(', ')})`,
        ExpressionAttributeValues: values,
      };
      for await (const items of pages(filter)) yield* items;
    },

    close: (): void => client.destroy(),
  };
};
