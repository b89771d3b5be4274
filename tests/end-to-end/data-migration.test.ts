// A data folder of an earlier version, as `npm start` takes it over.

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
import { callApi, makeDataFolder, startService } from '../support/processes/service.ts';
import { format3Items } from '../support/readers/earlier-formats.ts';

/** Writes the data folder of a service of version 1.0.0, without its secrets. */
const writeFolder = async (folder: string): Promise<void> => {
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
  for (let first = 0; first < format3Items.length; first += 25) {
    const puts = format3Items.slice(first, first + 25).map((Item) => ({ PutRequest: { Item } }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: puts } }));
  }
  client.destroy();
  await engine.stop();
  await writeFile(join(folder, 'data-format'), '3\n');
};

test('a folder of format 3 is migrated, which is said in one line, once', async () => {
  const { path, remove } = await makeDataFolder();
  await writeFolder(path);
  const said = `Migrated the data in ${path} from format 3 to 6`;
  for (const times of [1, 0]) {
    const service = await startService({ dataFolder: path });
    const { body } = await callApi(service.demo, 'users/profile/', {
      body: { email: 'ada@example.com' },
    });
    expect(body.data.tenant_count).toBe(5);
    await service.stop();
    expect(service.output().split(said).length - 1).toBe(times);
    expect(await readFile(join(path, 'data-format'), 'utf8')).toBe('6 of version 1.3.0\n');
  }
  await remove();
}, 120_000);
