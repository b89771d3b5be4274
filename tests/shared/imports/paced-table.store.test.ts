// The pace of imports: on a table that throttles, and in simulated time on a table that does not.

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ImportQueues,
  openImportPace,
  openPacedTable,
} from '#shared/imports/paced-table.store.ts';
import { meterCall } from '#shared/table/metering.ts';
import { openTable } from '#shared/table/table.ts';
import { testAuthenticators } from '../../support/builders/secrets.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';
import { startThrottlingProxy } from '../../support/dynamodb/throttling-proxy.ts';

const times = (count: number, applicationId: string): string[] =>
  Array.from({ length: count }, () => applicationId);
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, it) => sum + it, 0);
const twelve = ['a', 'b', 'c', 'd'].flatMap((id) => times(3, id));

describe('twelve imports, beside posts', async () => {
  const database = await openTestTable();
  afterAll(() => database.close());

  const itemsPerWrite = 12;
  const unitsPerWrite = 2 * itemsPerWrite;

  /**
   * The units of the imports in this time, and how many calls the table throttled. With
   * `untilThrottled`, the imports end at the first throttled call.
   */
  const runImports = async (
    milliseconds: number,
    options: { tableUnits: number; budgetUnits: number; untilThrottled?: boolean },
  ) => {
    const { tableUnits: writeUnits, budgetUnits, untilThrottled = false } = options;
    const proxy = await startThrottlingProxy(database.endpoint, { readUnits: 1e6, writeUnits });
    const endpoint = proxy.url;
    const { table, pace } = openPacedTable(database.tableName, budgetUnits * 60, {
      endpoint,
      authenticators: testAuthenticators,
      clock: () => new Date(),
      sleep: pause,
    });
    const posts = openTable(database.tableName, { endpoint });
    const startedAt = performance.now();
    let [units, throttled] = [0, 0];
    const isOver = () => {
      throttled += proxy.takeUsage().throttled;
      const isLate = performance.now() - startedAt >= milliseconds;
      return isLate || (untilThrottled && throttled > 0);
    };
    const importAll = async (place: number): Promise<void> => {
      for (let count = 0; !isOver(); count += 1) {
        const pk = `${budgetUnits}#${place}#${count}`;
        await table.transact(
          Array.from({ length: itemsPerWrite }, (_, item) => ({ put: { pk, sk: String(item) } })),
        );
        units += unitsPerWrite;
      }
    };
    const post = async (): Promise<void> => {
      for (let count = 0; !isOver(); count += 1) {
        await posts.put({ put: { pk: 'POST', sk: `${budgetUnits}#${count}` } });
        await pause(20);
      }
    };
    await Promise.all([
      ...twelve.map((id, place) => pace.run(`${budgetUnits}-${id}`, () => importAll(place))),
      post(),
    ]);
    throttled += proxy.takeUsage().throttled;
    const result = { units, throttled, seconds: (performance.now() - startedAt) / 1_000 };
    table.close();
    posts.close();
    await proxy.stop();
    return result;
  };

  test('write no more than their budget, and the table throttles nothing', async () => {
    const { units, throttled, seconds } = await runImports(1_000, {
      tableUnits: 800,
      budgetUnits: 200,
    });
    // Each import writes once before it waits, and all together can be ahead by one second.
    expect(units).toBeLessThanOrEqual(200 * (seconds + 1) + twelve.length * unitsPerWrite);
    expect(throttled).toBe(0);
  });

  test('are throttled if their budget is more than the table can take', async () => {
    const { throttled } = await runImports(20_000, {
      tableUnits: 100,
      budgetUnits: 50_000,
      untilThrottled: true,
    });
    expect(throttled).toBeGreaterThan(0);
  });
});

describe('in simulated time', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-03-23T09:30:00Z') }));
  afterEach(() => void vi.useRealTimers());

  const sleep = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));
  const clock = () => new Date();
  const budgetPerSecond = 1_000;
  const unitsPerWrite = 150;

  /** The queues of the table, in memory. */
  const openQueues = (): ImportQueues['take'] => {
    const usedUntil = new Map<string, number>();
    return async (owner, { milliseconds, now }) => {
      await sleep(5);
      const id = owner === 'ALL' ? owner : owner.applicationId;
      const end = Math.max(usedUntil.get(id) ?? 0, now.getTime()) + milliseconds;
      usedUntil.set(id, end);
      return end;
    };
  };

  const openPace = (take: ImportQueues['take']) =>
    openImportPace({ writeUnits: budgetPerSecond * 60, take, clock, sleep });

  /** A call that writes. */
  const write = (milliseconds: number) =>
    meterCall({ operation: 'TransactWriteItems', input: {} }, async () => {
      await sleep(milliseconds);
      const ConsumedCapacity = { CapacityUnits: unitsPerWrite, WriteCapacityUnits: unitsPerWrite };
      return { ConsumedCapacity };
    });

  /** Runs imports, each in a process of its own, and returns the units of each in a second. */
  const runImports = async (applicationIds: readonly string[], seconds: number) => {
    const take = openQueues();
    const endsAt = Date.now() + seconds * 1_000;
    const units = applicationIds.map(() => 0);
    const runs = applicationIds.map((id, place) => {
      const pace = openPace(take);
      return pace.run(id, async () => {
        while (Date.now() < endsAt) {
          await pace.call(() => write(30));
          if (Date.now() < endsAt) units[place] = (units[place] ?? 0) + unitsPerWrite / seconds;
        }
      });
    });
    await vi.runAllTimersAsync();
    await Promise.all(runs);
    return units;
  };

  test('a single import uses the share of its application', async () => {
    expect(sumOf(await runImports(['a'], 60)) / budgetPerSecond).toBeCloseTo(0.5, 1);
  });

  test('twenty imports of four applications use the whole budget, in equal parts', async () => {
    const units = await runImports(
      ['a', 'b', 'c', 'd'].flatMap((id) => times(5, id)),
      300,
    );
    expect(sumOf(units) / budgetPerSecond).toBeCloseTo(1, 1);
    expect(Math.min(...units) / Math.max(...units)).toBeGreaterThan(0.8);
  });

  test('nineteen imports of one application leave half of the budget to another', async () => {
    const units = await runImports([...times(19, 'many'), 'one'], 300);
    expect(sumOf(units.slice(0, -1)) / budgetPerSecond).toBeCloseTo(0.5, 1);
    expect((units.at(-1) ?? 0) / budgetPerSecond).toBeCloseTo(0.5, 1);
  });

  test('a process makes one call of its imports at a time, during half of the time', async () => {
    const pace = openPace(async () => 0);
    const spans: [start: number, end: number][] = [];
    const importAll = async (): Promise<void> => {
      for (let count = 0; count < 5; count += 1) {
        await pace.call(async () => {
          const startedAt = Date.now();
          await write(26);
          spans.push([startedAt, Date.now()]);
        });
      }
    };
    const runs = twelve.map((id) => pace.run(id, importAll));
    // A call outside of an import does not wait.
    const other = pace.call(() => write(26)).then(() => Date.now());
    const begun = Date.now();
    await vi.runAllTimersAsync();
    await Promise.all(runs);
    expect(await other).toBe(begun + 26);
    expect(spans).toEqual(spans.map((_, place) => [begun + 52 * place, begun + 52 * place + 26]));
  });

  test('a charge that fails is made up for by the next', async () => {
    const charges: number[] = [];
    const pace = openPace(async (owner, { milliseconds }) => {
      if (owner !== 'ALL') return 0;
      charges.push((milliseconds / 1_000) * budgetPerSecond);
      if (charges.length === 1) throw new Error('the table does not answer');
      return 0;
    });
    const run = pace.run('a', async () => {
      for (let count = 0; count < 3; count += 1) await pace.call(() => write(30));
    });
    await vi.runAllTimersAsync();
    await run;
    expect(charges).toEqual([unitsPerWrite, 2 * unitsPerWrite, unitsPerWrite]);
  });
});
