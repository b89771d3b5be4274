// A separate table for a test or a measurement, on a real engine and through the real SDK.

import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { remember } from '#infra/local/stand-ins/remember.ts';
import { tableShape } from '#infra/manifest/table.ts';
import { callLimits, clientSettings } from '#shared/aws-call-limits.ts';
import { itemOf, marshalled } from '#shared/table/attribute-values.ts';
import { openDynamoDBClient } from '#shared/table/dynamodb-client.ts';
import { openTable } from '#shared/table/table.ts';
import { testAuthenticators } from '../builders/secrets.ts';
import type { RawItem } from '../readers/item-kinds.ts';
import { unsigned } from './unsigned.ts';

const maximumBatchSize = 25;

/** The connections of all tables: a test that opens many would connect again for each. */
const requestHandler = Object.assign(
  Object.create(
    new DynamoDBClient(clientSettings(callLimits.standard.table)).config.requestHandler,
  ),
  { destroy: () => {} },
);

/** The client that looks at the tables of an engine from outside. */
const clientAt = remember((endpoint: string) =>
  openDynamoDBClient({ endpoint, requestHandler, ...unsigned }),
);

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
  const client = clientAt(endpoint);
  const shape = { TableName: tableName, ...tableShape };
  await client.send(new CreateTableCommand(shape as unknown as CreateTableCommandInput));
  const table = openTable(
    tableName,
    { endpoint, requestHandler, ...unsigned },
    hasAuthenticators ? { authenticators: testAuthenticators } : {},
  );
  /** Puts items as they are, as somebody without the key of the authenticators does. */
  const tamper = async (...items: RawItem[]): Promise<void> => {
    for (let first = 0; first < items.length; first += maximumBatchSize) {
      const puts = items.slice(first, first + maximumBatchSize);
      const requests = puts.map((item) => ({ PutRequest: { Item: marshalled(item) } }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }));
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
    close: table.close,
    /** Returns every item. */
    scan: async (): Promise<RawItem[]> => {
      const found: RawItem[] = [];
      let from: Record<string, AttributeValue> | undefined;
      do {
        const page = await client.send(
          new ScanCommand({
            TableName: tableName,
            ConsistentRead: true,
            ...(from && { ExclusiveStartKey: from }),
          }),
        );
        found.push(...(page.Items ?? []).map(itemOf));
        from = page.LastEvaluatedKey;
      } while (from);
      return found;
    },
  };
};
