import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { callFields, countContentionRetry, meterCall, meterUsage } from '#shared/table/metering.ts';

/** A call that takes a moment and returns its consumed capacity. */
const callOf =
  <Capacity>(ConsumedCapacity: Capacity) =>
  async () => {
    await pause(5);
    return { ConsumedCapacity };
  };

const record = <Result>(operation: string, call: () => Promise<Result>) =>
  meterCall({ operation, input: {} }, call);

/** The calls of a measurement in order, as `operation units`. */
const operations = ({ calls }: { calls: { operation: string; units: number }[] }) =>
  calls.map(({ operation, units }) => `${operation} ${units}`).join(', ');

describe('measuring usage', () => {
  test('counts calls with their consumed capacity, also nested and parallel ones', async () => {
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

  test('separates requests that run at the same time', async () => {
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

  test('of an outer measurement includes an inner one, even if that fails', async () => {
    const { usage } = await meterUsage(async () => {
      const inner = meterUsage(async () => {
        countContentionRetry();
        await record('GetItem', async () => {
          await pause(5);
          throw new Error('broken');
        });
      });
      await expect(inner).rejects.toThrow('broken');
      await record('Query', callOf(undefined));
    });
    expect(operations(usage)).toBe('GetItem 0, Query 0');
    expect(usage.contentionRetries).toBe(1);
    expect(usage.calls[0]?.endedAt).toBeGreaterThan(usage.calls[0]?.startedAt ?? 0);
  });

  test('includes the calls of another copy of the module, as in another bundle', async () => {
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
});

test('a log line shows the slowest twenty calls in order, also calls that have not ended', () => {
  const callAt = (startedAt: number, endedAt: number) => ({
    operation: 'Query',
    units: 0.5,
    writeUnits: 0,
    startedAt,
    endedAt,
  });
  const quick = Array.from({ length: 20 }, (_, index) => callAt(110 + index, 111 + index));
  const fields = callFields([...quick, callAt(200, 0), callAt(150.4, 400)], 100);
  expect(fields).toHaveLength(20);
  expect(fields[0]).toEqual({ operation: 'Query', after_ms: 10, ms: 1, units: 0.5 });
  expect(fields.slice(-2)).toEqual([
    { operation: 'Query', after_ms: 50, ms: 250, units: 0.5 },
    { operation: 'Query', after_ms: 100, ms: null, units: 0.5 },
  ]);
});
