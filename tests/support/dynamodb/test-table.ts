// A table of its own for a test file, on the embedded DynamoDB and through the real SDK.

import { randomUUID } from 'node:crypto';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { tableShape } from '#infra/table.ts';
import { openTable } from '#shared/store/table.ts';

// Engines that keep the data of each access key apart are many times faster with few tables in it.
process.env.AWS_ACCESS_KEY_ID = randomUUID().replaceAll('-', '');

export const openTestTable = async () => {
  const endpoint = inject('dynamoDBEndpoint');
  const tableName = `test-${randomUUID()}`;
  const client = new DynamoDBClient({ endpoint });
  // Without a stream: the embedded engine gets slower with every stream record that it keeps.
  const shape = { ...tableShape, StreamSpecification: undefined } as unknown;
  const command = { ...(shape as CreateTableCommandInput), TableName: tableName };
  await client.send(new CreateTableCommand(command));
  const documents = DynamoDBDocumentClient.from(client);
  return {
    tableName,
    endpoint,
    table: openTable(tableName, { endpoint }),
    /** Puts items as a test finds them, over whatever was there. */
    seed: async (...items: Record<string, unknown>[]): Promise<void> => {
      const puts = items.map((Item) => new PutCommand({ TableName: tableName, Item }));
      await Promise.all(puts.map((put) => documents.send(put)));
    },
    /** Every item there is, to assert what was written and what was not. */
    scan: async (): Promise<Record<string, unknown>[]> => {
      const items: Record<string, unknown>[] = [];
      let from: Record<string, unknown> | undefined;
      do {
        const page = await documents.send(
          new ScanCommand({
            TableName: tableName,
            ConsistentRead: true,
            ...(from && { ExclusiveStartKey: from }),
          }),
        );
        items.push(...(page.Items ?? []));
        from = page.LastEvaluatedKey;
      } while (from);
      return items;
    },
  };
};
