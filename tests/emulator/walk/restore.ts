// The runbook's drill restore-the-table, with a copy instead of a point-in-time recovery. The copy
// has the items and the indexes, and nothing else.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { functionNameOf, tableNameOf } from '#infra/manifest/names.ts';
import { restoredTablesFile } from '#infra/manifest/stages.ts';
import { tableShape } from '#infra/manifest/table.ts';
import { ada } from '../../support/builders/requests.ts';
import type { Emulator } from '../emulator.ts';
import type { Report } from '../report.ts';
import { call, dataOf } from './calls.ts';
import type { Deployed } from './deployed.ts';

const dynamoDB = ({ aws }: Emulator, operation: string, input: object) =>
  aws.call('dynamodb', `DynamoDB_20120810.${operation}`, input);

const itemsOf = async (emulator: Emulator, TableName: string): Promise<object[]> => {
  const items: object[] = [];
  let ExclusiveStartKey: object | undefined;
  do {
    const page = await dynamoDB(emulator, 'Scan', {
      TableName,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    items.push(...page.Items);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return items;
};

const maximumBatchSize = 25;

const copyTable = async (emulator: Emulator, { from, to }: { from: string; to: string }) => {
  const { StreamSpecification: _left, ...shape } = tableShape;
  await dynamoDB(emulator, 'CreateTable', { TableName: to, ...shape });
  const items = await itemsOf(emulator, from);
  for (let first = 0; first < items.length; first += maximumBatchSize) {
    const batch = items.slice(first, first + maximumBatchSize);
    const puts = batch.map((Item) => ({ PutRequest: { Item } }));
    await dynamoDB(emulator, 'BatchWriteItem', { RequestItems: { [to]: puts } });
  }
};

const tableServing = async ({ aws, stage }: Emulator): Promise<string | undefined> => {
  const name = functionNameOf(stage, 'create-journal-entry');
  return (await aws.functionConfiguration(name)).Environment.Variables.TABLE_NAME;
};

const checkServing = async (
  emulator: Emulator,
  { deployed, table }: { deployed: Deployed; table: string },
): Promise<void> => {
  assert.equal(await tableServing(emulator), table);
  const known = await call(deployed, 'users/ensure/', { body: ada });
  assert.equal(dataOf(known).created, false);
  const before = await itemsOf(emulator, table);
  const body = { ...ada, email: `${randomUUID()}@example.com` };
  assert.equal(dataOf(await call(deployed, 'users/ensure/', { body })).created, true);
  assert.ok((await itemsOf(emulator, table)).length > before.length);
};

export const walkRestore = async (
  emulator: Emulator,
  { deployed, report }: { deployed: Deployed; report: Report },
): Promise<void> => {
  const { commands, stage } = emulator;
  const own = tableNameOf(stage);
  const table = `${own}-restored`;
  report.heading('Restoring');
  await report.check('a copy of the table is made', () =>
    copyTable(emulator, { from: own, to: table }),
  );
  const before = readFileSync(restoredTablesFile, 'utf8');
  try {
    await report.check('ops restore verifies the copy, and the stage serves from it', async () => {
      const { steps } = await commands.ops(`restore --table ${table}`);
      assert.deepEqual(
        steps.map(({ step }: { step: string }) => step),
        ['prepare', 'verify the books', 'move the feeds', 'bind', 'deploy', 'check the functions'],
      );
      await checkServing(emulator, { deployed, table });
    });
  } finally {
    writeFileSync(restoredTablesFile, before);
  }
  await report.check('bound to its own again, it serves from that', async () => {
    await commands.deploy('--to-table', own);
    await checkServing(emulator, { deployed, table: own });
  });
  await dynamoDB(emulator, 'UpdateTable', { TableName: table, DeletionProtectionEnabled: false });
  await dynamoDB(emulator, 'DeleteTable', { TableName: table });
};
