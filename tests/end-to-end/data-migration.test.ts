// Data folders of earlier versions, as `npm start` takes them over.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { startEmbeddedDynamoDB } from '#infra/local/stand-ins/dynamodb.ts';
import { localCredentials, localRegion } from '#infra/manifest/local-credentials.ts';
import { tableNameOf } from '#infra/manifest/names.ts';
import { tableShape } from '#infra/manifest/table.ts';
import { callApi, type Demo, makeDataFolder, startService } from '../support/processes/service.ts';
import { format3Items, writtenTables } from '../support/readers/earlier-formats.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';

/** Writes the data folder of a service of an earlier version, without its secrets. */
const writeFolder = async (
  folder: string,
  { items, stamp }: { items: readonly RawItem[]; stamp: string },
): Promise<void> => {
  const engine = await startEmbeddedDynamoDB(join(folder, 'dynamodb.sqlite'));
  const client = new DynamoDBClient({
    endpoint: engine.endpoint,
    region: localRegion,
    credentials: { ...localCredentials },
  });
  const documents = DynamoDBDocumentClient.from(client);
  const TableName = tableNameOf('local');
  const shape = { TableName, ...tableShape } as unknown as CreateTableCommandInput;
  await client.send(new CreateTableCommand(shape));
  for (let first = 0; first < items.length; first += 25) {
    const puts = items.slice(first, first + 25).map((Item) => ({ PutRequest: { Item } }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: puts } }));
  }
  client.destroy();
  await engine.stop();
  await writeFile(join(folder, 'data-format'), stamp);
};

/** The requests that read a tenant: lists, reports and exports. */
const reads = [
  ...['tenants/get', 'tenants/imports', 'audit/list', 'books/export'].map((path) => [path, '']),
  ['accounts/list', '&balances=true'],
  ...['posted', 'scheduled', 'cancelled'].map((it) => ['journal_entries/list', `&status=${it}`]),
  ...['trial_balance', 'profit_and_loss', 'cash_flow', 'changes_in_equity'].map((report) => [
    `reports/${report}`,
    '&from=2026-01-01&to=2026-12-31',
  ]),
  ['reports/balance_sheet', '&as_of=2026-12-31'],
];

/** Reads every tenant of the user Ada. Returns their number. */
const readTenants = async (demo: Demo): Promise<number> => {
  const { body } = await callApi(demo, 'users/profile/', { body: { email: 'ada@example.com' } });
  const tenants: { tenant_domain_url: string }[] = body.data.tenants;
  for (const { tenant_domain_url } of tenants) {
    for (const [path, query] of reads) {
      const request = `${path}/?domain_url=${tenant_domain_url}${query}`;
      const { status, body: reply } = await callApi(demo, request);
      expect([request, status, reply.error?.details]).toEqual([request, 200, undefined]);
    }
  }
  return tenants.length;
};

test.each([
  { format: 3, items: format3Items, stamp: '3\n', tenants: 5 },
  { format: 4, items: writtenTables[4].items, stamp: '4\n', tenants: 2 },
  { format: 5, items: writtenTables[5].items, stamp: '5 of version 1.2.0\n', tenants: 2 },
])(
  'a folder of format $format is migrated, which is said in one line, once',
  {
    timeout: 120_000,
  },
  async ({ format, tenants, ...written }) => {
    const { path, remove } = await makeDataFolder();
    await writeFolder(path, written);
    const said = `Migrated the data in ${path} from format ${format} to 6`;
    // All formats end with the same stamp, so one shows that the next start says nothing.
    for (const times of format === 3 ? [1, 0] : [1]) {
      const service = await startService({ dataFolder: path });
      expect(await readTenants(service.demo)).toBe(tenants);
      await service.stop();
      expect(service.output().split(said).length - 1).toBe(times);
      expect(await readFile(join(path, 'data-format'), 'utf8')).toBe('6 of version 1.3.0\n');
    }
    await remove();
  },
);
