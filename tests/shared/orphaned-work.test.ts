import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { withoutOrphans } from '#shared/orphaned-work.ts';
import { openTable } from '#shared/table/table.ts';
import { openTestTable } from '../support/dynamodb/test-table.ts';
import { call } from '../support/harnesses/echo-endpoint.ts';

const key = { pk: 'partition', sk: '000' };

/** A table whose every attempt is lost on its way, once the gate is open. */
const openLosingTable = (gate: Promise<void>) => {
  const attempts = { made: 0 };
  const handle = async (): Promise<never> => {
    attempts.made += 1;
    await gate;
    throw Object.assign(new Error('lost'), { name: 'TimeoutError' });
  };
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  const config = { region: 'local', credentials, requestHandler: { handle } };
  return { attempts, table: openTable('losing', config as object) };
};

describe('work that was answered', () => {
  test('writes nothing more', async () => {
    const { table } = await openTestTable();
    const gate = Promise.withResolvers<void>();
    let writing: Promise<unknown> | undefined;
    const handle = () => {
      writing = gate.promise.then(() => table.transact([{ put: key }]));
      return writing as Promise<never>;
    };
    const reply = await call({ body: { note: 'x' } }, { handle, remainingMilliseconds: 550 });
    expect(reply.status).toBe(504);
    gate.resolve();
    await expect(writing).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect(await table.get(key)).toBeUndefined();
  });

  test.each([
    ['repeats no call', 1, true],
    ['and repeats lost calls before that', 3, false],
  ])('%s', async (_, attemptsMade, isAnswered) => {
    const gate = Promise.withResolvers<void>();
    const { attempts, table } = openLosingTable(gate.promise);
    let reading: Promise<unknown> | undefined;
    const working = withoutOrphans(async () => {
      reading = table.get(key);
      await pause(20);
      if (!isAnswered) await reading.catch(() => undefined);
    });
    if (isAnswered) await working;
    gate.resolve();
    await expect(reading).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    await working;
    expect(attempts.made).toBe(attemptsMade);
  });
});
