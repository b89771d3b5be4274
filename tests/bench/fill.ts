// Fills a tenant with entries and accounts of the very items that the product writes, in batches.

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Account } from '#shared/domain/accounts.ts';
import { addDays } from '#shared/domain/dates.ts';
import type { JournalEntry } from '#shared/domain/entries/journal-entry.ts';
import { entryActions } from '#shared/store/entry-items.ts';
import { accountKey, entryKey, sequenceKey, type TenantName } from '#shared/store/keys.ts';
import type { Item } from '#shared/store/table.ts';

const maximumBatchSize = 25;
const batchesAtOnce = 4;

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

const fill = async (tableName: string, items: Iterable<Item>): Promise<void> => {
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient());
  const batches = batchesOf(items);
  const work = async (): Promise<void> => {
    // One generator for all workers: each takes the next batch that there is.
    for (const batch of batches) {
      const requests = batch.map((Item) => ({ PutRequest: { Item } }));
      await documents.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, work));
  documents.destroy();
};

const entriesPerDay = 100;
const series = 'MJ';

const entry = (date: string, sequence: number): JournalEntry => ({
  entryId: crypto.randomUUID(),
  journalNumber: `MJ-${date.replaceAll('-', '')}-${String(sequence).padStart(4, '0')}`,
  date,
  memo: 'March consulting',
  entryType: 'Manual Journal',
  status: 'posted',
  accrualDate: null,
  externalId: null,
  transactionCurrency: 'USD',
  transactionAmount: '1159.60',
  reportingCurrency: 'EUR',
  reportingAmount: '1000.00',
  exchangeRate: '0.86236633322',
  exchangeRateDate: date,
  exchangeRateSource: 'ecb_derived',
  lines: ['1010', '4010'].map((account, line) => ({
    lineNumber: line + 1,
    account,
    accountName: line === 0 ? 'Bank Current Account' : 'Service Revenue',
    description: line === 0 ? 'Received' : 'Consulting',
    debit: line === 0 ? '1159.60' : '0.00',
    credit: line === 0 ? '0.00' : '1159.60',
    reportingDebit: line === 0 ? '1000.00' : '0.00',
    reportingCredit: line === 0 ? '0.00' : '1000.00',
  })),
  createdAt: `${date}T12:00:00.000Z`,
  createdWithKey: 'bench-key',
  postedAt: `${date}T12:00:00.000Z`,
});

function* entryItems(name: TenantName, count: number, lastDate: string): Generator<Item> {
  for (let place = 0; place < count; place += 1) {
    const date = addDays(lastDate, -Math.floor(place / entriesPerDay));
    const sequence = (place % entriesPerDay) + 1;
    const key = entryKey(name, { series, date, sequence });
    for (const action of entryActions(key, entry(date, sequence))) {
      if ('put' in action) yield action.put;
    }
    const isLast = sequence === entriesPerDay || place === count - 1;
    if (isLast) yield { ...sequenceKey(name, { series, date }), lastSequence: sequence };
  }
}

/** Adds entries of two lines, a hundred a day, back from this date. */
export const fillEntries = (
  tableName: string,
  name: TenantName,
  { count, lastDate }: { count: number; lastDate: string },
): Promise<void> => fill(tableName, entryItems(name, count, lastDate));

/** Adds accounts to the chart, and returns their codes. */
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
