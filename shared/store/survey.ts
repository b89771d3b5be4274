// Looks through the whole table for what no key leads to, which only the operator's tool may do.

import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Import } from './imports.ts';
import { connectionSort, importSort, type TenantName, tenantNameOf } from './keys.ts';
import { sealingVersionOf } from './sealing.ts';
import type { Item } from './table.ts';

const ConnectionItem = z.object({ pk: z.string(), sealedTokens: z.string() });

export type Survey = ReturnType<typeof openSurvey>;

/** Each survey reads every item there is, strongly consistent, and costs accordingly. */
export const openSurvey = (tableName: string, config: DynamoDBClientConfig = {}) => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(config));

  /** The items with this sort key, page by page. */
  async function* itemsWithSort(sort: string): AsyncGenerator<Item[]> {
    const pages = paginateScan(
      { client },
      {
        TableName: tableName,
        ConsistentRead: true,
        FilterExpression: 'sk = :sort',
        ExpressionAttributeValues: { ':sort': sort },
      },
    );
    for await (const page of pages) yield page.Items ?? [];
  }

  return {
    /** Every connection there is, with the version of the key that seals its tokens. */
    connections: async (): Promise<{ name: TenantName; sealingVersion: string }[]> => {
      const found = [];
      for await (const items of itemsWithSort(connectionSort)) {
        for (const item of items) {
          const { pk, sealedTokens } = ConnectionItem.parse(item);
          const name = tenantNameOf({ pk });
          if (name === undefined) throw new Error('a connection belongs to no tenant');
          found.push({ name, sealingVersion: sealingVersionOf(sealedTokens) });
        }
      }
      return found;
    },

    /** The imports that were asked for and have not ended, the oldest first. */
    requestedImports: async (): Promise<Import[]> => {
      const found: Import[] = [];
      for await (const items of itemsWithSort(importSort)) {
        found.push(...items.map((item) => Import.parse(item)));
      }
      return found
        .filter(({ status }) => status === 'requested')
        .sort((one, other) => (one.requestedAt < other.requestedAt ? -1 : 1));
    },

    close: () => client.destroy(),
  };
};
