// Fills the table in batches with items in the product's own format.

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Account } from '#shared/accounts/accounts.ts';
import { accountKey, type TenantName } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';

const maximumBatchSize = 25;
const concurrency = 4;

function* batchesOf(items: Iterable<Item>): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < maximumBatchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

export const fill = async (tableName: string, items: Iterable<Item>): Promise<void> => {
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient());
  const batches = batchesOf(items);
  const work = async (): Promise<void> => {
    // All workers share the generator. Each takes the next batch.
    for (const batch of batches) {
      const requests = batch.map((Item) => ({ PutRequest: { Item } }));
      await documents.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  documents.destroy();
};

/** Adds accounts to the chart and returns their codes. */
export const fillAccounts = async (
  tableName: string,
  name: TenantName,
  count: number,
): Promise<string[]> => {
  const codes = Array.from({ length: count }, (_, place) => `B${String(place).padStart(5, '0')}`);
  const items = codes.map((code): Item => {
    const account: Account = { code, name: `Account ${code}`, type: 'asset', status: 'active' };
    return { ...accountKey(name, code), kind: 'account', ...account };
  });
  await fill(tableName, items);
  return codes;
};
