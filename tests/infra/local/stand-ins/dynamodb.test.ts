import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedDynamoDB } from '#infra/local/stand-ins/dynamodb.ts';
import { ensureTable } from '#infra/manifest/table.ts';
import { makeDataFolder } from '../../../support/processes/service.ts';

const tableName = 'ledger-local';

/** An engine whose file a test looks into. */
const openEngine = async () => {
  const folder = await makeDataFolder();
  const dataFile = join(folder.path, 'dynamodb.sqlite');
  const engine = await startEmbeddedDynamoDB(dataFile);
  const database = new DatabaseSync(dataFile);
  const client = new DynamoDBClient({ endpoint: engine.endpoint });
  onTestFinished(async () => {
    client.destroy();
    database.close();
    await engine.stop();
    await folder.remove();
  });
  return { engine, database, client, dataFile };
};

test("the engine's address cannot be guessed", async () => {
  const engines = [await openEngine(), await openEngine()];
  const urls = engines.map(({ engine }) => new URL(engine.endpoint));
  expect(new Set(urls.map(({ hostname }) => hostname)).size).toBe(2);
  for (const { hostname, port } of urls) {
    expect(hostname).toMatch(/^127\.\d+\.\d+\.\d+$/);
    // Not an address near the usual one.
    expect(hostname).not.toMatch(/^127\.0\./);
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed');
    await expect(fetch(`http://[::1]:${port}`)).rejects.toThrow('fetch failed');
  }
});

test('the engine finds the last record of a stream without going through all of them', async () => {
  const { database, dataFile } = await openEngine();
  // The second start finds the index there.
  await (await startEmbeddedDynamoDB(dataFile)).stop();
  const plan = database
    .prepare(
      'EXPLAIN QUERY PLAN SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 ' +
        'FROM _stream_records WHERE table_name = ?1',
    )
    .all(tableName);
  expect(plan).toMatchObject([{ detail: expect.stringContaining('USING COVERING INDEX') }]);
});

test('the file forgets the stream records that were handled, and no others', async () => {
  const { engine, database, client } = await openEngine();
  await ensureTable(client, tableName);
  let count = 0;
  const write = async (times: number): Promise<number[]> => {
    for (let time = 0; time < times; time += 1) {
      count += 1;
      const Item = { pk: { S: 'a' }, sk: { S: String(count) } };
      await client.send(new PutItemCommand({ TableName: tableName, Item }));
    }
    const rows = database.prepare('SELECT sequence_number FROM _stream_records ORDER BY id').all();
    return rows.map(({ sequence_number }) => Number(sequence_number));
  };
  const upTo = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, place) => from + place);
  expect(await write(10)).toEqual(upTo(1, 10));

  engine.forgetStream(tableName, '6');
  expect(await write(2)).toEqual(upTo(7, 12));
  expect(await write(5)).toEqual(upTo(7, 17));

  // The newest stays, though it was handled: the next one gets its number from it.
  engine.forgetStream(tableName, '17');
  expect(await write(3)).toEqual(upTo(18, 20));
  engine.forgetStream('another table', '20');
  expect(await write(1)).toEqual(upTo(18, 21));
});
