import { expect, test } from 'vitest';
import { openTable } from '#shared/store/table.ts';
import { day, openNeighbours } from '../support/harnesses/hostile-neighbours.ts';
import { postingStoresOf } from '../support/readers/due-entries.ts';

test('an innocent entry posts in the first run beside a full date with many entries', async () => {
  const neighbours = await openNeighbours();
  await neighbours.fillDate(500);
  expect(await neighbours.run(5)).toMatchObject({ posted: 40, due: 2, done: 1, stuck: 1 });
  expect(await neighbours.countWaiting()).toBe(0);
});

test('an innocent entry posts in the first run behind hundreds of hostile tenants', async () => {
  const neighbours = await openNeighbours();
  await neighbours.makeTenants(300);
  // So little time is left after the reserve that only a part of the tenants gets a turn.
  const first = await neighbours.run(5, { milliseconds: 20_400 });
  expect(first).toMatchObject({ stopped_early: 'yes' });
  expect(Number(first.not_tried)).toBeGreaterThan(0);
  expect(await neighbours.countWaiting()).toBe(0);
  expect(await neighbours.run(20)).toMatchObject({ not_tried: 0, unfinished: 0 });
});

test('an innocent entry posts beside a date whose entries cannot be read', async () => {
  const neighbours = await openNeighbours();
  await neighbours.spoilDate(100);
  expect(await neighbours.run(5)).toMatchObject({ posted: 41, done: 1, stuck: 1 });
  expect(await neighbours.countWaiting()).toBe(0);
});

test('an innocent entry posts within two runs of a table that throttles every other call', async () => {
  const neighbours = await openNeighbours();
  await neighbours.fillDate(100);
  const { tableName, endpoint } = neighbours.ledger;
  const table = openTable(tableName, { endpoint, maxAttempts: 2 });
  let calls = 0;
  const throttling = {
    ...table,
    tryTransact: async (...parameters: Parameters<typeof table.tryTransact>) => {
      calls += 1;
      return calls % 2 === 1 ? undefined : table.tryTransact(...parameters);
    },
  };
  await neighbours.run(5, postingStoresOf(throttling));
  await neighbours.run(20, postingStoresOf(throttling));
  expect(await neighbours.countWaiting()).toBe(0);
  expect(calls).toBeGreaterThan(1);
});

test('a run that is killed between any two calls loses nothing, and the next posts it', async () => {
  for (let survived = 0; survived < 8; survived += 1) {
    const neighbours = await openNeighbours();
    const { ledger } = neighbours;
    let left = survived;
    const die = <Parameters extends unknown[], Result>(
      call: (...parameters: Parameters) => Promise<Result>,
    ) => {
      return (...parameters: Parameters): Promise<Result> => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('killed')) : call(...parameters);
      };
    };
    const { table } = ledger;
    const dying = {
      ...table,
      ...{ get: die(table.get), getMany: die(table.getMany), update: die(table.update) },
      ...{ consume: die(table.consume), tryTransact: die(table.tryTransact) },
    };
    await neighbours.run(5, postingStoresOf(dying)).catch(() => {});
    await neighbours.run(20);
    expect(await neighbours.countWaiting(), `killed after ${survived} calls`).toBe(0);
    const sheets = (await ledger.scan()).filter(({ sk }) => sk === `SEQUENCE#${day}#MJ`);
    expect(sheets.map(({ counted }) => counted)).toEqual([40]);
  }
});
