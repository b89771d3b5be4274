// A separate table for a test or a measurement, on a real engine and through the real SDK.

import { randomUUID } from 'node:crypto';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { tableShape } from '#infra/manifest/table.ts';
import { openTable } from '#shared/table/table.ts';
import { testAuthenticators } from '../builders/secrets.ts';
import type { RawItem } from '../readers/item-kinds.ts';

// Engines that keep the data of each access key apart are many times faster with few tables in it.
process.env.AWS_ACCESS_KEY_ID = randomUUID().replaceAll('-', '');

const maximumBatchSize = 25;

/**
 * Creates a table with these items. Expiry has no effect, since a test's clock is not the engine's.
 */
export const openTestTable = async ({
  endpoint = inject('dynamoDBEndpoint'),
  items = [],
  hasAuthenticators = true,
}: {
  endpoint?: string;
  items?: readonly RawItem[];
  /** Whether items have authenticators; not in tables of earlier versions. */
  hasAuthenticators?: boolean;
} = {}) => {
  const tableName = `test-${randomUUID()}`;
  const client = new DynamoDBClient({ endpoint });
  const documents = DynamoDBDocumentClient.from(client);
  const shape = { TableName: tableName, ...tableShape };
  await documents.send(new CreateTableCommand(shape as unknown as CreateTableCommandInput));
  const table = openTable(
    tableName,
    { endpoint },
    hasAuthenticators ? { authenticators: testAuthenticators } : {},
  );
  /** Puts items as they are, as somebody without the key of the authenticators does. */
  const tamper = async (...items: RawItem[]): Promise<void> => {
    for (let first = 0; first < items.length; first += maximumBatchSize) {
      const puts = items.slice(first, first + maximumBatchSize);
      const requests = puts.map((Item) => ({ PutRequest: { Item } }));
      await documents.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
    }
  };
  /** Puts items with their authenticators, without conditions. */
  const seed = async (...seeded: RawItem[]): Promise<void> => {
    if (!hasAuthenticators) return tamper(...seeded);
    const actions = seeded.map((put) => ({ put }));
    const authenticated = await testAuthenticators.authenticated(actions);
    await tamper(...authenticated.map(({ put }) => put));
  };
  await seed(...items);
  return {
    tableName,
    endpoint,
    table,
    seed,
    tamper,
    close: (): void => {
      // The document client would leave the connections open.
      client.destroy();
      table.close();
    },
    /** Returns every item. */
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
