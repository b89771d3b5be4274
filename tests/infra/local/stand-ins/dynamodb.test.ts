import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type AttributeValue, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedDynamoDB } from '#infra/local/stand-ins/dynamodb.ts';
import { ensureTable } from '#infra/manifest/table.ts';
import type { StreamFilter } from '#infra/manifest/triggers.ts';
import { makeDataFolder } from '../../../support/processes/service.ts';

const tableName = 'ledger-local';

/** An engine whose file a test looks into. */
const openEngine = async (streamFilters: readonly StreamFilter[] = []) => {
  const folder = await makeDataFolder();
  const dataFile = join(folder.path, 'dynamodb.sqlite');
  const engine = await startEmbeddedDynamoDB(dataFile, { streamFilters });
  const database = new DatabaseSync(dataFile);
  const client = new DynamoDBClient({ endpoint: engine.endpoint });
  onTestFinished(async () => {
    client.destroy();
    database.close();
    await engine.stop();
    await folder.remove();
  });
  return {
    engine,
    database,
    dataFile,
    createTable: () => ensureTable(client, tableName),
    put: (sk: string, attributes: Record<string, AttributeValue> = {}) => {
      const Item = { pk: { S: 'a' }, sk: { S: sk }, ...attributes };
      return client.send(new PutItemCommand({ TableName: tableName, Item }));
    },
    /** The sort key and the sequence number of each stored stream record. */
    storedRecords: (): (readonly [string, number])[] =>
      database
        .prepare('SELECT keys_json, sequence_number FROM _stream_records ORDER BY id')
        .all()
        .map((row) => [JSON.parse(String(row.keys_json)).sk.S, Number(row.sequence_number)]),
  };
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

test('the engine finds the last record of a stream with an index', async () => {
  const { database, dataFile } = await openEngine();
  // The second start finds the index.
  await (await startEmbeddedDynamoDB(dataFile)).stop();
  const plan = database
    .prepare(
      'EXPLAIN QUERY PLAN SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 ' +
        'FROM _stream_records WHERE table_name = ?1',
    )
    .all(tableName);
  expect(plan).toMatchObject([{ detail: expect.stringContaining('USING COVERING INDEX') }]);
});

test('the stream has only the records that pass a filter, in sequence', async () => {
  const { engine, createTable, put, storedRecords } = await openEngine([
    { kind: 'import', status: 'requested' },
    { kind: 'rate' },
    { kind: 'account', events: { exists: true } },
  ]);
  await createTable();
  const stream = engine.streamOf(tableName);
  expect(stream.newest()).toBe(0);
  const [kind, status] = [{ S: 'import' }, { S: 'requested' }];
  await put('without attributes');
  await put('a requested import', { kind, status });
  await put('a running import', { kind, status: { S: 'running' } });
  await put('another kind', { kind: { S: 'entry' }, status });
  await put('another type', { kind: { SS: ['import'] }, status });
  await put('a rate', { kind: { S: 'rate' } });
  await put('an account', { kind: { S: 'account' } });
  await put('an account with an event', { kind: { S: 'account' }, events: { S: 'any' } });
  expect(storedRecords()).toEqual([
    ['a requested import', 1],
    ['a rate', 2],
    ['an account with an event', 3],
  ]);
  expect([stream.newest(), engine.streamOf('another table').newest()]).toEqual([3, 0]);
});

test('a start without filters keeps all records again', async () => {
  const { createTable, put, storedRecords, dataFile } = await openEngine([{ kind: 'import' }]);
  await createTable();
  await put('a');
  await (await startEmbeddedDynamoDB(dataFile)).stop();
  await put('b');
  expect(storedRecords()).toEqual([['b', 1]]);
});

test('the file forgets the stream records that were handled, and no others', async () => {
  const { engine, createTable, put, storedRecords } = await openEngine();
  await createTable();
  for (const sk of ['a', 'b', 'c', 'd']) await put(sk);
  engine.streamOf('another table').forget('4');
  engine.streamOf(tableName).forget('2');
  expect(storedRecords()).toEqual([
    ['c', 3],
    ['d', 4],
  ]);

  // The newest record stays, because the next one gets its number from it.
  engine.streamOf(tableName).forget('4');
  await put('e');
  expect(storedRecords()).toEqual([
    ['d', 4],
    ['e', 5],
  ]);
});
