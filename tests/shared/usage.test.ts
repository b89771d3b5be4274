import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { Refusal } from '#shared/errors.ts';
import { measureUsage, record, recordContentionRetry } from '#shared/usage.ts';

/** A call that takes a moment and reports what it consumed. */
const callOf =
  <Capacity>(ConsumedCapacity: Capacity) =>
  async () => {
    await pause(5);
    return { ConsumedCapacity };
  };

const operations = ({ calls }: { calls: { operation: string; units: number }[] }) =>
  calls.map(({ operation, units }) => [operation, units]);

describe('measuring usage', () => {
  test('counts calls however deep they are made, with what they consumed', async () => {
    const { result, usage } = await measureUsage(async () => {
      await record('GetItem', callOf({ CapacityUnits: 1 }));
      await Promise.all([
        record('BatchGetItem', callOf([{ CapacityUnits: 2 }, { CapacityUnits: 3 }])),
        record('Query', callOf(undefined)),
      ]);
      return 'done';
    });
    expect(result).toBe('done');
    expect(operations(usage)).toEqual([
      ['GetItem', 1],
      ['BatchGetItem', 5],
      ['Query', 0],
    ]);
  });

  test('knows when each call ran, to tell parallel calls from sequential ones', async () => {
    const { usage } = await measureUsage(async () => {
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
      measureUsage(async () => {
        for (let call = 0; call < count; call += 1) await record(operation, callOf(undefined));
        recordContentionRetry();
      });
    const [one, other] = await Promise.all([request('GetItem', 3), request('Query', 2)]);
    expect(operations(one.usage).flat()).toEqual(['GetItem', 0, 'GetItem', 0, 'GetItem', 0]);
    expect(operations(other.usage).flat()).toEqual(['Query', 0, 'Query', 0]);
    expect([one.usage.contentionRetries, other.usage.contentionRetries]).toEqual([1, 1]);
  });

  test('counts in an outer measurement what an inner one counts, even if that fails', async () => {
    const { usage } = await measureUsage(async () => {
      const inner = measureUsage(async () => {
        await record('GetItem', callOf(undefined));
        recordContentionRetry();
        throw new Error('after the call');
      });
      await expect(inner).rejects.toThrow('after the call');
      await record('Query', callOf(undefined));
    });
    expect(operations(usage)).toEqual([
      ['GetItem', 0],
      ['Query', 0],
    ]);
    expect(usage.contentionRetries).toBe(1);
  });

  test('counts what another copy of the module records, as each bundle has its own', async () => {
    vi.resetModules();
    const copy = await import('#shared/usage.ts');
    expect(copy.record).not.toBe(record);
    const { usage } = await measureUsage(async () => {
      await copy.record('GetItem', callOf({ CapacityUnits: 1 }));
      copy.recordContentionRetry();
    });
    expect(operations(usage)).toEqual([['GetItem', 1]]);
    expect(usage.contentionRetries).toBe(1);
  });

  test('needs no measurement around a call', async () => {
    await expect(record('GetItem', callOf(undefined))).resolves.toEqual({});
    expect(recordContentionRetry).not.toThrow();
  });

  test('a call that fails is counted as well, with its time', async () => {
    const { usage } = await measureUsage(async () => {
      const failing = record('GetItem', async () => {
        await pause(5);
        throw new Error('broken');
      });
      await expect(failing).rejects.toThrow('broken');
    });
    expect(operations(usage)).toEqual([['GetItem', 0]]);
    expect(usage.calls[0]?.endedAt).toBeGreaterThan(usage.calls[0]?.startedAt ?? 0);
  });
});

describe('a fault of the table', () => {
  const named = (name: string) => Object.assign(new Error('fault'), { name });
  const coded = (code: string) => Object.assign(new Error('fault'), { code });
  const answered = (httpStatusCode: number) =>
    Object.assign(new Error('fault'), { name: 'Unknown', $metadata: { httpStatusCode } });

  test.each([
    ['a throttle', named('ThrottlingException')],
    ['spent capacity', named('ProvisionedThroughputExceededException')],
    ['a limit of the account', named('RequestLimitExceeded')],
    ['the same transaction under way', named('TransactionInProgressException')],
    ['a fault of the server', answered(500)],
    ['a server that is not there', answered(503)],
    ['a call that took too long', named('TimeoutError')],
    ['a connection that was lost', coded('ECONNRESET')],
    ['a connection that was refused', coded('ECONNREFUSED')],
    ['a connection that took too long', coded('ETIMEDOUT')],
    ['a connection closed while writing', coded('EPIPE')],
    ['a name that cannot be looked up now', coded('EAI_AGAIN')],
  ])('that passes is temporarily unavailable: %s', async (_title, cause) => {
    const failing = record('GetItem', () => Promise.reject(cause));
    await expect(failing).rejects.toBeInstanceOf(Refusal);
    await expect(failing).rejects.toMatchObject({
      code: 'temporarily_unavailable',
      retryAfterSeconds: 1,
      cause,
    });
  });

  test.each([
    ['a table that is not there', named('ResourceNotFoundException')],
    ['a call that may not be made', named('AccessDeniedException')],
    ['a call that is not well formed', answered(400)],
    ['a mistake in the program', new TypeError('undefined is not a function')],
    ['something thrown that is no error', 'text'],
  ])('that stays is thrown as it is: %s', async (_title, cause) => {
    await expect(record('GetItem', () => Promise.reject(cause))).rejects.toBe(cause);
  });
});
