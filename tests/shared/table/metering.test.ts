import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { callFields, countContentionRetry, meterCall, meterUsage } from '#shared/table/metering.ts';

/** A call that takes a moment and reports what it consumed. */
const callOf =
  <Capacity>(ConsumedCapacity: Capacity) =>
  async () => {
    await pause(5);
    return { ConsumedCapacity };
  };

const record = <Result>(operation: string, call: () => Promise<Result>) =>
  meterCall({ operation, input: {} }, call);

/** The calls of a measurement: `operation units`, in their order. */
const operations = ({ calls }: { calls: { operation: string; units: number }[] }) =>
  calls.map(({ operation, units }) => `${operation} ${units}`).join(', ');

describe('measuring usage', () => {
  test('counts calls however deep they are made, with what they consumed', async () => {
    const { result, usage } = await meterUsage(async () => {
      await record('GetItem', callOf({ CapacityUnits: 1 }));
      await Promise.all([
        record('BatchGetItem', callOf([{ CapacityUnits: 2 }, { CapacityUnits: 3 }])),
        record('Query', callOf(undefined)),
      ]);
      return 'done';
    });
    expect(result).toBe('done');
    expect(operations(usage)).toBe('GetItem 1, BatchGetItem 5, Query 0');
  });

  test('knows when each call ran, to tell parallel calls from sequential ones', async () => {
    const { usage } = await meterUsage(async () => {
      await record('first', callOf(undefined));
      await Promise.all([record('second', callOf(undefined)), record('third', callOf(undefined))]);
    });
    const [first, second, third] = usage.calls;
    expect(first?.endedAt).toBeGreaterThan(first?.startedAt ?? 0);
    expect(second?.startedAt).toBeGreaterThanOrEqual(first?.endedAt ?? Infinity);
    expect(third?.startedAt).toBeLessThan(second?.endedAt ?? 0);
  });

  test('keeps the calls of requests apart that run at the same time', async () => {
    const request = (operation: string, count: number) =>
      meterUsage(async () => {
        for (let call = 0; call < count; call += 1) await record(operation, callOf(undefined));
        countContentionRetry();
      });
    const [one, other] = await Promise.all([request('GetItem', 3), request('Query', 2)]);
    expect(operations(one.usage)).toBe('GetItem 0, GetItem 0, GetItem 0');
    expect(operations(other.usage)).toBe('Query 0, Query 0');
    expect([one.usage.contentionRetries, other.usage.contentionRetries]).toEqual([1, 1]);
  });

  test('counts in an outer measurement what an inner one counts, even if that fails', async () => {
    const { usage } = await meterUsage(async () => {
      const inner = meterUsage(async () => {
        await record('GetItem', callOf(undefined));
        countContentionRetry();
        throw new Error('after the call');
      });
      await expect(inner).rejects.toThrow('after the call');
      await record('Query', callOf(undefined));
    });
    expect(operations(usage)).toBe('GetItem 0, Query 0');
    expect(usage.contentionRetries).toBe(1);
  });

  test('counts what another copy of the module records, as each bundle has its own', async () => {
    vi.resetModules();
    const copy = await import('#shared/table/metering.ts');
    expect(copy.meterCall).not.toBe(meterCall);
    const { usage } = await meterUsage(async () => {
      await copy.meterCall({ operation: 'GetItem', input: {} }, callOf({ CapacityUnits: 1 }));
      copy.countContentionRetry();
    });
    expect(operations(usage)).toBe('GetItem 1');
    expect(usage.contentionRetries).toBe(1);
  });

  test('needs no measurement around a call', async () => {
    await expect(record('GetItem', callOf(undefined))).resolves.toEqual({});
    expect(countContentionRetry).not.toThrow();
  });

  test('a call that fails is counted as well, with its time', async () => {
    const { usage } = await meterUsage(async () => {
      const failing = record('GetItem', async () => {
        await pause(5);
        throw new Error('broken');
      });
      await expect(failing).rejects.toThrow('broken');
    });
    expect(operations(usage)).toBe('GetItem 0');
    expect(usage.calls[0]?.endedAt).toBeGreaterThan(usage.calls[0]?.startedAt ?? 0);
  });
});

test('a line shows the slowest twenty calls in their order, with those that are under way', () => {
  const callAt = (startedAt: number, endedAt: number) => ({
    ...{ operation: 'Query', units: 0.5, writeUnits: 0 },
    ...{ startedAt, endedAt },
  });
  const quick = Array.from({ length: 20 }, (_, index) => callAt(110 + index, 111 + index));
  const shown = callFields([...quick, callAt(200, 0), callAt(150.4, 400)], 100);
  expect(shown).toHaveLength(20);
  expect(shown[0]).toEqual({ operation: 'Query', after_ms: 10, ms: 1, units: 0.5 });
  expect(shown.slice(-2)).toEqual([
    { operation: 'Query', after_ms: 50, ms: 250, units: 0.5 },
    { operation: 'Query', after_ms: 100, ms: null, units: 0.5 },
  ]);
});
