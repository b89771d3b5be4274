import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { StoredStream } from '#infra/local/stand-ins/dynamodb.ts';
import { startStream } from '#infra/local/stand-ins/stream.ts';
import { ensureTable } from '#infra/manifest/table.ts';
import { requestedImportPattern } from '#shared/imports/imports.store.ts';
import { type Fault, startFaultyDynamoDB } from '../../../support/dynamodb/faulty-dynamodb.ts';
import { openTestTable } from '../../../support/dynamodb/test-table.ts';
import { makeDataFolder } from '../../../support/processes/service.ts';

const { endpoint, tableName, seed } = await openTestTable();
const streamArn = await ensureTable(new DynamoDBClient({ endpoint }), tableName);

type Handle = (sk: string) => Promise<void>;
type Event = { Records: { dynamodb: { Keys: { sk: { S: string } } } }[] };

/** Starts at the beginning of the stream, or after the last reader in this folder. */
const startReader = async ({
  fault,
  handle = async () => {},
  folder: given,
  newest = () => undefined,
  forget = vi.fn(),
}: {
  /** The fault of its first call for records. */
  fault?: Fault;
  /** The handling of a record. */
  handle?: Handle;
  folder?: Awaited<ReturnType<typeof makeDataFolder>>;
} & Partial<StoredStream> = {}) => {
  const dynamoDB = await startFaultyDynamoDB(endpoint);
  if (fault !== undefined) dynamoDB.plan('GetRecords', 1, fault);
  const folder = given ?? (await makeDataFolder());
  const invoke = vi.fn(async (_name: string, event: unknown) => {
    for (const { dynamodb } of (event as Event).Records) await handle(dynamodb.Keys.sk.S);
    return { batchItemFailures: [] };
  });
  const reader = await startStream(invoke, {
    endpoint: dynamoDB.endpoint,
    streamArn,
    dataFolder: folder.path,
    stored: { newest, forget },
    report: () => {},
  });
  onTestFinished(async () => {
    await reader.stop();
    await Promise.all([dynamoDB.stop(), folder.remove()]);
  });
  const count = (operation: string): number =>
    dynamoDB.calls.filter((call) => call === operation).length;
  const until = (holds: () => void) => vi.waitFor(holds, { timeout: 10_000 });
  return {
    count,
    folder,
    stop: reader.stop,
    /** Waits for this many more reads. */
    untilRead: (times: number) => {
      const before = count('GetRecords');
      return until(() => expect(count('GetRecords')).toBeGreaterThanOrEqual(before + times));
    },
    /** Waits until it has brought this item to a function. */
    untilBrought: (sk: string) =>
      until(() => expect(JSON.stringify(invoke.mock.calls)).toContain(sk)),
  };
};

const request = (sk: string) => ({ pk: 'TENANT#1', sk, ...requestedImportPattern });

test('lists the shards once for many reads', async () => {
  const reader = await startReader();
  await reader.untilRead(3);
  await seed(request('the first'));
  await reader.untilBrought('the first');
  await reader.untilRead(3);
  expect(reader.count('DescribeStream')).toBe(1);
});

test.each<[string, Fault]>([
  ['has ended', { status: 200, body: { Records: [] } }],
  ['cannot be read', { status: 400, body: { __type: 'ExpiredIteratorException' } }],
])('lists the shards again if one %s', async (title, fault) => {
  const reader = await startReader({ fault });
  await seed(request(title));
  await reader.untilBrought(title);
  await reader.untilRead(3);
  expect(reader.count('DescribeStream')).toBe(2);
});

test('reads at its start, and then only if there is a newer record', async () => {
  let newest = 1;
  const looks = vi.fn(() => newest);
  const untilLooked = (times: number) => {
    const before = looks.mock.calls.length;
    return vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(before + times));
  };
  await seed(request('before the start'));
  const reader = await startReader({ newest: looks });
  await reader.untilBrought('before the start');
  await untilLooked(1);
  const reads = reader.count('GetRecords');
  await untilLooked(2);
  expect(reader.count('GetRecords')).toBe(reads);
  await seed(request('after the start'));
  newest = 2;
  await reader.untilBrought('after the start');
});

test('reads again after a failed read, without a newer record', async () => {
  const fault = { status: 400, body: { __type: 'ExpiredIteratorException' } };
  const reader = await startReader({ fault, newest: () => 1 });
  await seed(request('after a failed read'));
  await reader.untilBrought('after a failed read');
});

test('delivers unhandled records again after a stop', async () => {
  const { promise: refused, reject: refuse } = Promise.withResolvers<void>();
  refused.catch(() => {});
  const first = await startReader({
    handle: (sk) => (sk === 'left' ? refused : Promise.resolve()),
  });
  await seed(request('left'));
  await first.untilBrought('left');
  const stopped = first.stop();
  refuse(new Error('a fault'));
  await stopped;
  const second = await startReader({ folder: first.folder });
  await second.untilBrought('left');
});

test('forgets only handled records whose position is saved', async () => {
  const { promise: refused, reject: refuse } = Promise.withResolvers<void>();
  refused.catch(() => {});
  const folder = await makeDataFolder();
  const saved = async (): Promise<Record<string, string>> =>
    JSON.parse(await readFile(join(folder.path, 'stream.json'), 'utf8'));
  const forgotten: [string, ReturnType<typeof saved>][] = [];
  const reader = await startReader({
    folder,
    handle: (sk) => (sk === 'not handled' ? refused : Promise.resolve()),
    forget: (sequenceNumber) => forgotten.push([sequenceNumber, saved()]),
  });
  await seed(request('handled'));
  await reader.untilBrought('handled');
  await reader.untilRead(2);
  const before = [...forgotten];
  await seed(request('not handled'));
  await reader.untilBrought('not handled');
  const stopped = reader.stop();
  refuse(new Error('a fault'));
  await stopped;
  expect(before.length).toBeGreaterThan(0);
  expect(forgotten).toEqual(before);
  for (const [sequenceNumber, file] of forgotten) {
    const reached = Object.values(await file).map(Number);
    expect(Math.max(...reached)).toBeGreaterThanOrEqual(Number(sequenceNumber));
  }
});
