// Preparing a restored table.

import { randomUUID } from 'node:crypto';
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
import { startRestores } from '../../support/servers/restores-server.ts';

const operator = useOperator();
const engine = new DynamoDBClient({ endpoint: inject('dynamoDBEndpoint') });

let server: Awaited<ReturnType<typeof startRestores>>;
let serving: string;
beforeAll(async () => {
  serving = await createTable();
  server = await startRestores(inject('dynamoDBEndpoint'));
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

test('a restored table gets the missing settings once', async () => {
  const table = await createTable();
  const prepared = await prepare(table);
  expect(prepared).toMatchObject({ table, switched_on: leftOut });
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
      /^the restored table not-there in infra.manifest.restored-tables\.json does not exist/,
    );
    const table = await createTable();
    expect(await check(table, 'x')).toMatch(/stream is off.*run table prepare/);
    const { stream_label: label } = await prepare(table);
    expect(await check(table, 'x')).toMatch(
      /but infra.manifest.restored-tables\.json has x: the functions would read nothing/,
    );
    expect(await check(table, String(label))).toBe('nothing was refused');
  });
});
