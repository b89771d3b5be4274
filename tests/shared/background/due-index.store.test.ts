import { describe, expect, test } from 'vitest';
import { type DueItem, listDueItems, openDueWork } from '#shared/background/due-index.store.ts';
import {
  dueDatePartitions,
  dueDatePlace,
  dueImportKey,
  dueImportPartition,
} from '#shared/table/due-keys.ts';
import { dueDateKey, importKey, type Key } from '#shared/table/keys.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';

const { table, seed } = await openTestTable();
const dueWork = openDueWork(table);
const nameOf = (schemaName: string) => ({ applicationId: `app of ${schemaName}`, schemaName });
const momentOf = (time: string): string => `2026-03-23T${time}.000Z`;
const at = (time: string): Date => new Date(momentOf(time));

const requests = { second: '09:10:00', third: '09:20:00', first: '09:00:00' };
for (const [schemaName, time] of Object.entries(requests)) {
  const name = nameOf(schemaName);
  const due = { dueAt: momentOf(time), setAt: momentOf('08:00:00') };
  await seed({ ...importKey(name), ...dueImportKey(name, due) });
}
/** Dates of many tenants, so every shard has some. */
const seedDates = async (date: string): Promise<Key[]> => {
  const keys = Array.from({ length: 60 }, (_, tenant) => dueDateKey(nameOf(`t${tenant}`), date));
  await seed(...keys.map((key) => ({ ...key, ...dueDatePlace(key), revision: 1 })));
  return keys;
};
const dates = [await seedDates('2026-03-23'), await seedDates('2026-03-24')];

const collect = async <Value>(due: AsyncIterable<Value>): Promise<Value[]> => {
  const items: Value[] = [];
  for await (const it of due) items.push(it);
  return items;
};

const keysOf = (items: readonly DueItem[]): Key[] => items.map(({ pk, sk }) => ({ pk, sk }));

describe('due work', () => {
  test.each([
    ['08:59:59', 0],
    ['09:10:00', 2],
    ['09:20:00', 3],
  ])('at %s is %i imports, longest due first', async (time, count) => {
    const pages = await collect(dueWork.list(dueImportPartition, at(time)));
    const expected = ['first', 'second', 'third'].slice(0, count).map(nameOf).map(importKey);
    expect(keysOf(pages.flat())).toEqual(expected);
  });

  test.each([
    ['2026-03-22', []],
    ['2026-03-23', dates[0]],
    ['2026-03-23T00:00:00.000Z', dates[0]],
    ['2026-03-24', dates.flat()],
    [undefined, dates.flat()],
  ])('by %s is every date up to it, of all shards', async (by, expected = []) => {
    const due = { partitions: dueDatePartitions, ...(by !== undefined && { by }) };
    const listed = keysOf(await collect(listDueItems(table, due)));
    expect(new Set(listed)).toEqual(new Set(expected));
    expect(listed).toHaveLength(expected.length);
  });
});

describe('stuck work', () => {
  let tenants = 0;
  const newDate = async () => {
    tenants += 1;
    const key = dueDateKey(nameOf(`work${tenants}`), '2026-03-23');
    const item = { ...key, ...dueDatePlace(key), revision: 1 };
    await seed(item);
    const look = async () => {
      const { due_sk, stuck } = (await table.get(key)) ?? {};
      return [String(due_sk).split('#')[0], stuck];
    };
    const listed = async (): Promise<DueItem> => ({
      ...key,
      due_sk: String((await table.get(key))?.due_sk),
    });
    return { key, item, look, listed };
  };
  const stuckAs = (attempts: number) => ({
    reason: 'date_full',
    since: momentOf('10:00:00'),
    attempts,
  });

  test('is postponed with backoff, and keeps the time of its first failure', async () => {
    const { look, listed } = await newDate();
    const fail = async (time: string) =>
      dueWork.putOff(await listed(), { reason: 'date_full', now: at(time) });
    expect(await fail('10:00:00')).toBe('stuck');
    expect(await look()).toEqual([momentOf('10:05:00'), stuckAs(1)]);
    expect(await fail('10:10:00')).toBe('stuck_before');
    expect(await look()).toEqual([momentOf('10:25:00'), stuckAs(2)]);
    await dueWork.putBack(await listed(), { now: at('10:26:00'), hasProgressed: false });
    expect(await look()).toEqual([momentOf('10:26:00'), stuckAs(2)]);
    await dueWork.putBack(await listed(), { now: at('10:27:00'), hasProgressed: true });
    expect(await look()).toEqual([momentOf('10:27:00'), undefined]);
  });

  test('that another process has moved stays unchanged', async () => {
    const { item, look, listed } = await newDate();
    await dueWork.putBack(item, { now: at('10:00:00'), hasProgressed: true });
    expect(await dueWork.putBack(item, { now: at('11:00:00'), hasProgressed: true })).toBe(false);
    const failed = { reason: 'date_full', now: at('11:00:00') } as const;
    expect(await dueWork.putOff(item, failed)).toBe('not_due');
    expect(await look()).toEqual([momentOf('10:00:00'), undefined]);
    await table.transact([{ delete: { pk: item.pk, sk: item.sk } }]);
    expect(await dueWork.putOff(item, failed)).toBe('not_due');
    expect(await listed()).toMatchObject({ due_sk: 'undefined' });
  });

  test('is listed, and due immediately after a retry', async () => {
    const { key, item, look } = await newDate();
    await dueWork.putOff(item, { reason: 'date_full', now: at('10:00:00') });
    const list = async () =>
      (await dueWork.listStuck(dueDatePartitions, at('10:01:00'))).filter(
        (it) => it.item.pk === key.pk,
      );
    const [stuck] = await list();
    expect(stuck).toMatchObject({ stuck: stuckAs(1), nextAttemptAt: momentOf('10:05:00') });
    expect(stuck && (await dueWork.retry(stuck.item, at('10:01:00')))).toBe(true);
    expect(await look()).toEqual([momentOf('10:01:00'), undefined]);
    expect(await list()).toEqual([]);
    expect(stuck && (await dueWork.retry(stuck.item, at('10:02:00')))).toBe(false);
  });
});
