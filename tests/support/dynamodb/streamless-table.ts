// A table like the product's, but without its stream: the embedded engine gets slower with every
// stream record that it keeps, and here are many tables that nobody listens to.

import { randomUUID } from 'node:crypto';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { tableShape } from '#infra/table.ts';
import { openTable } from '#shared/store/table.ts';
import type { RawItem } from '../readers/item-kinds.ts';

const maximumBatchSize = 25;

/** Makes a table that holds these items. */
export const openStreamlessTable = async (endpoint: string, items: readonly RawItem[] = []) => {
  const tableName = `test-${randomUUID()}`;
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint }));
  const shape = { ...tableShape, StreamSpecification: undefined } as unknown;
  const command = { ...(shape as CreateTableCommandInput), TableName: tableName };
  await documents.send(new CreateTableCommand(command));
  for (let first = 0; first < items.length; first += maximumBatchSize) {
    const puts = items.slice(first, first + maximumBatchSize);
    const requests = puts.map((Item) => ({ PutRequest: { Item } }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
  }
  const table = openTable(tableName, { endpoint });
  return {
    tableName,
    endpoint,
    table,
    close: (): void => {
      documents.destroy();
      table.close();
    },
    /** Every item there is. */
    scan: async (): Promise<RawItem[]> => {
      const found: RawItem[] = [];
      let from: RawItem | undefined;
      do {
        const page = await documents.send(
          new ScanCommand({
            TableName: tableName,
            ConsistentRead: true,
            ...(from && { ExclusiveStartKey: from }),
          }),
        );
        found.push(...(page.Items ?? []));
        from = page.LastEvaluatedKey;
      } while (from);
      return found;
    },
  };
};
