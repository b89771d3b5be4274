import { setImmediate } from 'node:timers/promises';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '#shared/errors.ts';
import { updateAction } from '#shared/table/field-updates.ts';
import { type Key, keyText } from '#shared/table/keys.ts';
import { meterUsage } from '#shared/table/metering.ts';
import { forWaitingCaller, retryOnContention } from '#shared/table/retry.ts';
import { ifExists, ifNotExists, openTable, transactionOf } from '#shared/table/table.ts';
import {
  startFaultyDynamoDB,
  throttle,
  transactionCancelled,
  transactionConflict,
  transactionInProgress,
} from '../../support/dynamodb/faulty-dynamodb.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';

const database = await openTestTable();
const faulty = await startFaultyDynamoDB(database.endpoint);
const table = openTable(database.tableName, { endpoint: faulty.endpoint });

// Without jitter there is no backoff, neither here nor in the SDK.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
afterAll(() => faulty.stop());

let keys = 0;
const newKey = (): Key => {
  keys += 1;
  return { pk: `key-${keys}`, sk: 'x' };
};

const putNew = (key: Key) =>
  table.transact([{ put: { ...key, name: 'new' }, condition: ifNotExists }]);
const conflict = { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' };

describe('a contended transaction', () => {
  test.each([
    ['a conflict with another transaction', [conflict]],
    ['a throttle', [{ Code: 'ThrottlingError' }]],
    ['used-up capacity', [{ Code: 'ProvisionedThroughputExceeded' }]],
    ['several reasons', [{ Code: 'None' }, conflict, { Code: 'ThrottlingError' }]],
  ])('is retried after %s', async (_title, reasons) => {
    const key = newKey();
    faulty.plan('TransactWriteItems', 3, transactionCancelled(...reasons));
    const { result, usage } = await meterUsage(() => putNew(key));
    expect(result).toEqual({ committed: true });
    expect(usage.contentionRetries).toBe(3);
    expect(await table.get(key)).toEqual({ ...key, name: 'new' });
  });

  test.each([
    ['it is cancelled', transactionCancelled(conflict)],
    ['it is still in progress', transactionInProgress],
  ])('is sent again with the same token if %s', async (_title, fault) => {
    const tokens: unknown[] = [];
    for (const attempts of [2, 1]) {
      faulty.plan('TransactWriteItems', attempts, (body) => {
        tokens.push(JSON.parse(body).ClientRequestToken);
        return fault;
      });
      await putNew(newKey());
    }
    const [first, second, another] = tokens;
    expect(second).toBe(first);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(another).not.toBe(first);
  });

  test('is not retried if a condition fails too', async () => {
    const inTheWay = { ...newKey(), name: 'was first' };
    const failed = { Code: 'ConditionalCheckFailed', Item: marshall(inTheWay) };
    faulty.plan('TransactWriteItems', 1, transactionCancelled(conflict, failed));
    const { result, usage } = await meterUsage(() => putNew(newKey()));
    const outcome = { committed: false, failed: new Map([[1, inTheWay]]), contended: true };
    expect(result).toEqual(outcome);
    expect(usage.contentionRetries).toBe(0);
  });

  test.each([
    ['a permanent reason', [{ Code: 'ItemCollectionSizeLimitExceeded' }]],
    ['a permanent and a transient reason', [conflict, { Code: 'ValidationError' }]],
    ['no reason', [{ Code: 'None' }]],
  ])('throws after a cancellation with %s', async (_title, reasons) => {
    faulty.plan('TransactWriteItems', 1, transactionCancelled(...reasons));
    const { usage } = await meterUsage(() =>
      expect(putNew(newKey())).rejects.toMatchObject({ name: 'TransactionCanceledException' }),
    );
    expect(usage.contentionRetries).toBe(0);
  });

  test('fails when the budget is used up, and nothing is written', async () => {
    const key = newKey();
    vi.useFakeTimers({ toFake: ['performance'] });
    faulty.plan('TransactWriteItems', Infinity, () => {
      vi.advanceTimersByTime(6_000);
      return transactionCancelled(conflict);
    });
    const { usage } = await meterUsage(() =>
      expect(putNew(key)).rejects.toMatchObject({ code: 'contention', retryAfterSeconds: 1 }),
    );
    // A third attempt would not end within fifteen seconds.
    expect([faulty.calls.length, usage.contentionRetries]).toEqual([2, 1]);
    faulty.plan('TransactWriteItems', 0, 'hangs up');
    expect(await table.get(key)).toBeUndefined();
  });
});

test('a waiting caller waits a second for all contended writes together', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const conflictAfter = (milliseconds: number) => () => {
    vi.advanceTimersByTime(milliseconds);
    return transactionCancelled(conflict);
  };
  const later = newKey();
  await forWaitingCaller(async () => {
    faulty.plan('TransactWriteItems', 2, conflictAfter(300));
    expect(await putNew(newKey())).toEqual({ committed: true });
    faulty.plan('TransactWriteItems', Infinity, conflictAfter(300));
    await expect(putNew(later)).rejects.toMatchObject({ code: 'contention' });
  });
  // The second write had 400 ms left, too few for two attempts.
  expect(faulty.calls).toHaveLength(1);
  faulty.plan('TransactWriteItems', 0, 'hangs up');
  expect(await table.get(later)).toBeUndefined();
});

test.each([
  ['of a transaction', 'TransactWriteItems', () => putNew(newKey())],
  [
    'of a new transaction for each attempt',
    'TransactWriteItems',
    () => retryOnContention(() => table.tryTransact(transactionOf([{ put: newKey() }]))),
  ],
  [
    'of a single write',
    'UpdateItem',
    () => table.update(updateAction(newKey(), { set: { done: true } })),
  ],
])('contention %s after a lost reply does not mean that nothing was written', async (...row) => {
  const [, call, write] = row;
  const conflicts = {
    TransactWriteItems: transactionCancelled(conflict),
    UpdateItem: transactionConflict,
  };
  vi.useFakeTimers({ toFake: ['performance'] });
  faulty.plan(call, Infinity, () => {
    vi.advanceTimersByTime(6_000);
    return faulty.calls.length === 1 ? 'hangs up' : conflicts[call as keyof typeof conflicts];
  });
  await expect(write()).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  faulty.plan(call, 0, 'hangs up');
});

describe('the backoff', () => {
  /** The maximum pauses between attempts that all fail, and the time at which it ends. */
  const giveUp = async (options: {
    tryMilliseconds: number;
    budget?: { milliseconds: number; since: number };
  }) => {
    const pauses: number[] = [];
    let now = 0;
    vi.spyOn(Math, 'random').mockReturnValue(1);
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.spyOn(globalThis, 'setTimeout').mockImplementation((done, milliseconds = 0) => {
      pauses.push(milliseconds);
      now += milliseconds;
      queueMicrotask(done as () => void);
      return 0 as never;
    });
    const attempt = async () => {
      now += options.tryMilliseconds;
      return undefined;
    };
    await expect(retryOnContention(attempt, options.budget)).rejects.toMatchObject({
      code: 'contention',
    });
    return { pauses, endedAt: now };
  };

  test('grows quickly, and falls as the budget is used up', async () => {
    const { pauses } = await giveUp({ tryMilliseconds: 0 });
    expect(pauses.slice(0, 4)).toEqual([16, 64, 256, 1024]);
    const longest = pauses.indexOf(Math.max(...pauses));
    const falling = pauses.slice(longest);
    expect(falling).toEqual(falling.toSorted((one, other) => other - one));
    expect([Math.max(...pauses) < 1_500, Math.min(...falling)]).toEqual([true, 20]);
  });

  test.each([
    ['slow attempts after other work', 400, -2_000],
    ['no time for a second attempt', 1_600, -100],
  ])('uses the budget and ends within it: %s', async (_title, tryMilliseconds, since) => {
    const budget = { milliseconds: 3_000, since };
    const { endedAt } = await giveUp({ tryMilliseconds, budget });
    expect(endedAt).toBeLessThanOrEqual(3_000 + since);
    expect(endedAt + 2 * tryMilliseconds + 20).toBeGreaterThan(3_000 + since);
  });
});

test('a single write that conflicts with a transaction is retried', async () => {
  const key = newKey();
  await putNew(key);
  faulty.plan('UpdateItem', 2, transactionConflict);
  faulty.plan('DeleteItem', 1, transactionConflict);
  const { result, usage } = await meterUsage(async () => [
    await table.update(updateAction(key, { set: { done: true } })),
    await table.consume(key, { condition: ifExists }),
  ]);
  expect(result).toEqual([true, { ...key, name: 'new', done: true }]);
  expect(usage.contentionRetries).toBe(3);
  expect(faulty.calls).toEqual([...Array(3).fill('UpdateItem'), ...Array(2).fill('DeleteItem')]);
});

describe('a batch read in parts', () => {
  const batch = Array.from({ length: 3 }, newKey);
  /** A reply with only the first `count` keys. */
  const answerWith = (count: number) => (body: string) => {
    const request: { RequestItems: Record<string, { Keys: unknown[] }> } = JSON.parse(body);
    const [[name, { Keys, ...rest }] = ['', { Keys: [] }]] = Object.entries(request.RequestItems);
    const UnprocessedKeys = { [name]: { ...rest, Keys: Keys.slice(count) } };
    const read = Keys.slice(0, count);
    return { status: 200, body: { Responses: { [name]: read }, UnprocessedKeys } };
  };

  test('is complete', async () => {
    await database.seed(...batch);
    faulty.plan('BatchGetItem', 2, answerWith(1));
    expect(await table.getMany(batch)).toEqual(new Map(batch.map((key) => [keyText(key), key])));
  });

  test('fails if it makes no progress', async () => {
    faulty.plan('BatchGetItem', Infinity, answerWith(0));
    await expect(table.getMany(batch)).rejects.toMatchObject({
      code: 'temporarily_unavailable',
      retryAfterSeconds: 1,
    });
    expect(faulty.calls).toHaveLength(9);
    faulty.plan('BatchGetItem', 0, throttle);
  });
});

describe('a failed call', () => {
  test('is retried by the SDK', async () => {
    const key = newKey();
    await putNew(key);
    faulty.plan('GetItem', 1, throttle);
    expect(await table.get(key)).toEqual({ ...key, name: 'new' });
    expect(faulty.calls).toEqual(['GetItem', 'GetItem']);
    faulty.plan('TransactWriteItems', 2, 'hangs up');
    const other = newKey();
    expect(await putNew(other)).toEqual({ committed: true });
    expect(faulty.calls).toHaveLength(3);
  });

  test.each([
    ['a throttle', throttle],
    ['a lost connection', 'hangs up' as const],
    ['a server fault', { status: 500, body: { message: 'oops' } }],
  ])('is temporarily unavailable after three attempts with %s', async (_title, fault) => {
    faulty.plan('GetItem', 3, fault);
    const failing = table.get(newKey());
    await expect(failing).rejects.toBeInstanceOf(ApiError);
    await expect(failing).rejects.toMatchObject({
      code: 'temporarily_unavailable',
      retryAfterSeconds: 1,
      cause: expect.any(Error),
    });
    expect(faulty.calls).toEqual(Array(3).fill('GetItem'));
  });

  test('without a reply ends after three seconds', async () => {
    const impatient = openTable(database.tableName, { endpoint: faulty.endpoint, maxAttempts: 1 });
    faulty.plan('GetItem', 1, 'stays silent');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const failing = impatient.get(newKey()).catch((error: unknown) => error);
    while (faulty.calls.length === 0) await setImmediate();
    vi.advanceTimersByTime(2_999);
    expect(await Promise.race([failing, setImmediate('no answer yet')])).toBe('no answer yet');
    vi.advanceTimersByTime(1);
    expect(await failing).toMatchObject({ code: 'temporarily_unavailable' });
    impatient.close();
  });
});
