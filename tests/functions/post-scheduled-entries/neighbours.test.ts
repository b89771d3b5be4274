import { expect, test } from 'vitest';
import { ApiError } from '#shared/errors.ts';
import type { Table } from '#shared/table/table.ts';
import { day, openNeighbours } from '../../support/harnesses/hostile-neighbours.ts';

test('an innocent entry posts in the first run beside a full date with many entries', async () => {
  const neighbours = await openNeighbours();
  await neighbours.fillDate(500);
  expect(await neighbours.run(5)).toMatchObject({ posted: 40, due: 2, done: 1, stuck: 1 });
  expect(await neighbours.countWaiting()).toBe(0);
});

test('innocent entries post within two short runs behind hundreds of tenants', async () => {
  const neighbours = await openNeighbours();
  await neighbours.makeTenants(200);
  for (const minutes of [5, 20]) {
    const run = await neighbours.run(minutes, { writes: 20 });
    expect(run).toMatchObject({ stopped_early: 'yes', goes_on_with: expect.any(String) });
    expect(run.not_tried).toBeGreaterThan(100);
  }
  expect(await neighbours.countWaiting()).toBe(0);
  expect(await neighbours.run(35)).toMatchObject({ not_tried: 0, unfinished: 0 });
});

test('an innocent entry posts beside a date whose entries cannot be read', async () => {
  const neighbours = await openNeighbours();
  await neighbours.spoilDate(100);
  expect(await neighbours.run(5)).toMatchObject({ posted: 41, done: 1, stuck: 1 });
  expect(await neighbours.countWaiting()).toBe(0);
});

test('innocent entries post within two runs of a table that throttles', async () => {
  const neighbours = await openNeighbours();
  await neighbours.fillDate(100);
  const { table } = neighbours.ledger;
  let calls = 0;
  const throttle = () => new ApiError('temporarily_unavailable', { retryAfterSeconds: 1 });
  const throttling: Table = {
    ...table,
    // Every third call is refused after all retries of the SDK.
    getMany: (keys) => {
      calls += 1;
      return calls % 3 === 1 ? Promise.reject(throttle()) : table.getMany(keys);
    },
    tryTransact: (transaction) => {
      calls += 1;
      return calls % 3 === 1 ? Promise.reject(throttle()) : table.tryTransact(transaction);
    },
  };
  await neighbours.run(5, { table: throttling });
  await neighbours.run(20, { table: throttling });
  expect(await neighbours.countWaiting()).toBe(0);
  expect(calls).toBeGreaterThan(1);
});

test('a run that is killed between two calls loses nothing', async () => {
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
    const dying: Table = {
      ...table,
      ...{ get: die(table.get), getMany: die(table.getMany), update: die(table.update) },
      ...{ consume: die(table.consume), tryTransact: die(table.tryTransact) },
    };
    await neighbours.run(5, { table: dying }).catch(() => {});
    await neighbours.run(20);
    expect(await neighbours.countWaiting(), `killed after ${survived} calls`).toBe(0);
    const sheets = (await ledger.scan()).filter(({ sk }) => sk === `SEQUENCE#${day}#MJ`);
    expect(sheets.map(({ counted }) => counted)).toEqual([40]);
  }
});
