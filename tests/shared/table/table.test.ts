import { describe, expect, test } from 'vitest';
import { requiredPermissions } from '#infra/local/stand-ins/permissions.ts';
import { dueIndex } from '#shared/table/due-keys.ts';
import { type Key, keyText } from '#shared/table/keys.ts';
import { meterUsage } from '#shared/table/metering.ts';
import { ifNotExists, transactionOf } from '#shared/table/table.ts';
import { costOf } from '../../support/dynamodb/costs.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';

const database = await openTestTable();
const { table } = database;

let partitions = 0;
/** A partition that no other test writes to. */
const newPartition = (): string => {
  partitions += 1;
  return `partition-${partitions}`;
};

const keysIn = (pk: string, count: number): Key[] =>
  Array.from({ length: count }, (_, index) => ({ pk, sk: String(index).padStart(3, '0') }));

const inPartition = (pk: string) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': pk },
});

describe('reading', () => {
  test('gets 250 keys in parallel batches', async () => {
    const keys = keysIn(newPartition(), 250);
    await database.seed(...keys.map((key) => ({ ...key, name: `item ${key.sk}` })));
    const absent = { pk: 'nowhere', sk: '000' };
    let items = new Map<string, unknown>();
    const cost = await costOf(async () => {
      items = await table.getMany([...keys, absent, ...keys.slice(0, 20)]);
    });
    expect(items).toEqual(
      new Map(keys.map((key) => [keyText(key), { ...key, name: `item ${key.sk}` }])),
    );
    expect(cost).toMatchObject({
      sequentialCalls: 1,
      operations: ['BatchGetItem', 'BatchGetItem', 'BatchGetItem'],
    });
  });
});

describe('querying', () => {
  test('returns a partition in order, over pages of a megabyte', async () => {
    const text = 'x'.repeat(300_000);
    const items = keysIn(newPartition(), 9).map((key) => ({ ...key, text }));
    await database.seed(...items.toReversed());
    const { result, usage } = await meterUsage(() => table.query(inPartition(items[0]?.pk ?? '')));
    expect(result).toEqual(items);
    expect(usage.calls.length).toBeGreaterThan(1);
  });
});

describe('consuming an item', () => {
  const take = (key: Key) =>
    table.consume(key, { condition: 'expiresAt > :now', values: { ':now': 100 } });

  test('returns it to one of many callers, if the condition holds', async () => {
    const [key, other, absent] = keysIn(newPartition(), 3) as [Key, Key, Key];
    const item = { ...key, expiresAt: 101 };
    await database.seed(item, { ...other, expiresAt: 100 });
    expect([await take(other), await take(absent)]).toEqual([undefined, undefined]);
    expect(await table.get(other)).toEqual({ ...other, expiresAt: 100 });
    const taken = await Promise.all(Array.from({ length: 16 }, () => take(key)));
    expect(taken.filter((it) => it !== undefined)).toEqual([item]);
    expect(await table.get(key)).toBeUndefined();
  });
});

describe('a transaction', () => {
  test('writes nothing if a condition fails, and returns the current items', async () => {
    const [taken, free, absent, also] = keysIn(newPartition(), 4) as [Key, Key, Key, Key];
    const inTheWay = [
      { ...taken, name: 'was first', nested: { list: [1, 'two', null] } },
      { ...also, name: 'was first too' },
    ];
    await database.seed(...inTheWay);
    const outcome = await table.transact([
      { put: { ...free, name: 'new' }, condition: ifNotExists },
      { put: { ...taken, name: 'new' }, condition: ifNotExists },
      { check: absent, condition: 'attribute_exists(pk)' },
      { put: { ...also, name: 'new' }, condition: ifNotExists },
    ]);
    expect(outcome).toEqual({
      committed: false,
      contended: false,
      failed: new Map<number, unknown>([
        [1, inTheWay[0]],
        [2, undefined],
        [3, inTheWay[1]],
      ]),
    });
    expect(await table.query(inPartition(free.pk))).toEqual(inTheWay);
  });
});

// Retries rely on this (DynamoDB API Reference, TransactWriteItems, ClientRequestToken).
test('a token commits once, with the same content, after any number of cancellations', async () => {
  const [counter, created, other] = keysIn(newPartition(), 3) as [Key, Key, Key];
  await database.seed({ ...counter, count: 0 }, created);
  const { actions, token } = transactionOf([
    {
      update: counter,
      expression: 'SET #count = #count + :one',
      names: { '#count': 'count' },
      values: { ':one': 1 },
    },
    { put: created, condition: ifNotExists },
  ]);
  const attempt = () => table.tryTransact({ actions, token });
  const take = () => table.consume(created, { condition: 'attribute_exists(pk)' });
  const failed = { committed: false, contended: false, failed: new Map([[1, created]]) };
  expect([await attempt(), await attempt()]).toEqual([failed, failed]);
  await take();
  const outcomes = await Promise.all(Array.from({ length: 8 }, attempt));
  expect(outcomes).toEqual(outcomes.map(() => ({ committed: true })));
  await take();
  expect(await attempt()).toEqual({ committed: true });
  for (const changed of [[...actions].reverse(), [...actions, { put: other }]]) {
    await expect(table.tryTransact({ actions: changed, token })).rejects.toMatchObject({
      name: 'IdempotentParameterMismatchException',
    });
  }
  expect(await table.query(inPartition(counter.pk))).toEqual([{ ...counter, count: 1 }]);
});

test('the permissions of every call are known', async () => {
  const one = { pk: 'one', sk: 'x' };
  const other = { pk: 'other', sk: 'x' };
  const required: string[][] = [];
  const work = async () => {
    await table.transact([{ put: one }, { check: other, condition: ifNotExists }]);
    await table.transact([{ update: one, expression: 'SET a = :a', values: { ':a': 1 } }]);
    await table.update({ update: one, expression: 'SET a = :a', values: { ':a': 2 } });
    await table.consume(one, { condition: 'attribute_exists(pk)' });
    await table.get(one);
    await table.getMany([one, other]);
    await table.query(inPartition(one.pk));
    await table.query({
      IndexName: dueIndex,
      KeyConditionExpression: 'due_pk = :pk',
      ExpressionAttributeValues: { ':pk': one.pk },
    });
  };
  await meterUsage(work, (call) => required.push(requiredPermissions(call)));
  expect(required).toEqual([
    ['PutItem', 'to write one', 'ConditionCheckItem', 'to read other'],
    ['UpdateItem', 'to write one'],
    ['UpdateItem', 'to write one'],
    ['DeleteItem', 'to write one'],
    ['GetItem', 'to read one'],
    ['BatchGetItem', 'to read one', 'to read other'],
    ['Query', 'to read one'],
    ['Query index/due', 'to read one'],
  ]);
});
