// Preparing a restored table. The engine has no continuous backups and no maximum throughput, so a
// proxy simulates both and forwards everything else.

import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { tableShape } from '#infra/manifest/table.ts';
import { checkTable, prepareTable } from '#infra/ops/commands/table.ts';
import { checkServingTable } from '#infra/ops/deployment/preflight.ts';
import { openStageTable, type StageTable } from '#infra/ops/stage/stage-table.ts';
import { refusalOf, useOperator } from '../../support/harnesses/operator.ts';
import { stageNamed, withStageApp } from '../../support/harnesses/stage-app.ts';
import { serve } from '../../support/servers/serve.ts';

const operator = useOperator();
const engine = new DynamoDBClient({ endpoint: inject('dynamoDBEndpoint') });
const recovered = new Set<string>();

const answerBackups = (operation: string, { TableName }: { TableName: string }): object => {
  if (operation === 'UpdateContinuousBackups') recovered.add(TableName);
  const PointInTimeRecoveryStatus = recovered.has(TableName) ? 'ENABLED' : 'DISABLED';
  const PointInTimeRecoveryDescription = { PointInTimeRecoveryStatus };
  return { ContinuousBackupsDescription: { PointInTimeRecoveryDescription } };
};

type Throughput = { OnDemandThroughput?: unknown };
type TableChange = Throughput & {
  TableName: string;
  GlobalSecondaryIndexUpdates?: { Update?: Throughput }[];
};

/** The last throughput of each table and its index. */
const limited = new Map<string, { ofTable: unknown; ofIndex: unknown }>();

const limit = ({ TableName, OnDemandThroughput, GlobalSecondaryIndexUpdates }: TableChange) => {
  const [{ Update } = {}] = GlobalSecondaryIndexUpdates ?? [];
  limited.set(TableName, { ofTable: OnDemandThroughput, ofIndex: Update?.OnDemandThroughput });
  return {};
};

/** Adds the throughput to the engine's description of a table. */
const withThroughput = (reply: string): string => {
  const { Table, ...others } = JSON.parse(reply);
  if (Table === undefined) return reply;
  const { ofTable, ofIndex } = limited.get(Table.TableName) ?? {};
  const GlobalSecondaryIndexes = Table.GlobalSecondaryIndexes?.map((index: object) => ({
    ...index,
    OnDemandThroughput: ofIndex,
  }));
  const described = { ...Table, OnDemandThroughput: ofTable, GlobalSecondaryIndexes };
  return JSON.stringify({ ...others, Table: described });
};

let server: Awaited<ReturnType<typeof serve>>;
let serving: string;
beforeAll(async () => {
  serving = await createTable();
  server = await serve(async (incoming, outgoing) => {
    const body = await text(incoming);
    const target = String(incoming.headers['x-amz-target']);
    const operation = target.split('.')[1] ?? '';
    outgoing.setHeader('Content-Type', 'application/x-amz-json-1.0');
    if (operation.endsWith('ContinuousBackups')) {
      return outgoing.end(JSON.stringify(answerBackups(operation, JSON.parse(body))));
    }
    if (operation === 'UpdateTable' && 'OnDemandThroughput' in JSON.parse(body)) {
      return outgoing.end(JSON.stringify(limit(JSON.parse(body))));
    }
    const headers = Object.entries(incoming.headers).filter(
      ([name]) => !['connection', 'content-length', 'host'].includes(name),
    ) as [string, string][];
    const reply = await fetch(inject('dynamoDBEndpoint'), { method: 'POST', headers, body });
    const answer = await reply.text();
    outgoing
      .writeHead(reply.status)
      .end(operation === 'DescribeTable' ? withThroughput(answer) : answer);
  });
});
afterAll(async () => {
  await server.stop();
  engine.destroy();
});

/** A table as after a restore, with these changes. */
const createTable = async (changes: object = {}): Promise<string> => {
  const TableName = `restored-${randomUUID()}`;
  const { StreamSpecification: _left, ...shape } = tableShape;
  const input = { TableName, ...shape, ...changes };
  await engine.send(new CreateTableCommand(input as unknown as CreateTableCommandInput));
  return TableName;
};

const throughput = { readUnits: 12_000, writeUnits: 4_000 };

const open = (tableName: string): StageTable =>
  openStageTable(
    { endpoint: server.url },
    { tableName, stage: 'production', isProtected: true, throughput },
  );

const dependencies = () => ({ ...operator.dependencies, stageTable: open(serving) });
const prepare = (table: string) => prepareTable.run(dependencies(), { table });
const leftOut = [
  'stream',
  'time to live',
  'point-in-time recovery',
  'deletion protection',
  'maximum throughput',
  'tags',
];

test('a restored table gets the missing settings once, and the report has its row', async () => {
  const table = await createTable();
  const prepared = await prepare(table);
  expect(prepared).toMatchObject({ table, switched_on: leftOut });
  expect(prepared.restored_table).toBe(
    `restoredTable: { name: '${table}', streamLabel: '${prepared.stream_label}' },`,
  );
  expect(await prepare(table)).toEqual({ ...prepared, switched_on: [] });
  const { settings } = await checkTable.run(dependencies(), { table });
  expect(settings).toMatchObject([
    { setting: 'keys and indexes', found: 'pk, sk; due (due_pk, due_sk)', in_step: true },
    { setting: 'stream', found: 'NEW_IMAGE', in_step: true },
    { setting: 'time to live', found: 'expiresAt', in_step: true },
    { setting: 'point-in-time recovery', found: 'on', in_step: true },
    { setting: 'deletion protection', found: 'on', in_step: true },
    { setting: 'maximum throughput', found: '12000 read, 4000 write', in_step: true },
    { setting: 'tags', found: 'service=ledger, stage=production', in_step: true },
  ]);
});

describe('a table is not prepared', () => {
  const stream = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' };
  test.each<[string, () => Promise<string>, RegExp]>([
    ['if it serves', async () => serving, /serves already/],
    [
      'with a stream of another view type',
      () => createTable({ StreamSpecification: stream }),
      /stream is KEYS_ONLY, must be NEW_IMAGE$/,
    ],
    [
      'without its index',
      () =>
        createTable({
          GlobalSecondaryIndexes: undefined,
          AttributeDefinitions: tableShape.AttributeDefinitions.slice(0, 2),
        }),
      /keys and indexes is pk, sk, must be pk, sk; due \(due_pk, due_sk\)$/,
    ],
  ])('%s', async (_title, make, sentence) => {
    expect(await refusalOf(prepare(await make()))).toMatch(sentence);
  });
});

const plannedTemplate = withStageApp(stageNamed('production'), ({ data }) =>
  JSON.stringify(Template.fromStack(data).toJSON()),
);

describe('before a deployment', () => {
  const check = async (tableName: string, streamLabel?: string): Promise<string> => {
    const restoredTable =
      streamLabel === undefined ? {} : { restoredTable: { name: tableName, streamLabel } };
    const stageTable = open(tableName);
    return refusalOf(checkServingTable(restoredTable, { stageTable, plannedTemplate }));
  };
  const { StreamSpecification } = tableShape;

  test('the stage’s own table may lack settings, since its stack sets them', async () => {
    expect(await check(await createTable({ StreamSpecification }))).toBe('nothing was refused');
    expect(await check('not-there-yet')).toBe('nothing was refused');
  });

  test('a change of the stream’s view type is refused, since functions read it', async () => {
    const both = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };
    expect(await check(await createTable({ StreamSpecification: both }))).toMatch(
      /stream is NEW_AND_OLD_IMAGES, must be NEW_IMAGE: the deployment would replace it/,
    );
  });

  test('a restored table must exist, be prepared, and have the configured stream', async () => {
    expect(await check('not-there', 'x')).toMatch(
      /^the restored table not-there in infra.manifest.stages\.ts does not exist/,
    );
    const table = await createTable();
    expect(await check(table, 'x')).toMatch(/stream is off.*run table prepare/);
    const { stream_label: label } = await prepare(table);
    expect(await check(table, 'x')).toMatch(
      /but infra.manifest.stages\.ts has x: the functions would read nothing/,
    );
    expect(await check(table, String(label))).toBe('nothing was refused');
  });
});
