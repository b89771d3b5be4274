import { describe, expect, test } from 'vitest';
import { listDueItems, tenantOf } from '#shared/background/due-index.store.ts';
import { dueImportKey, dueImportPartition } from '#shared/table/due-keys.ts';
import { importKey, type TenantName } from '#shared/table/keys.ts';
import {
  at,
  everyStatus,
  openImportStates,
} from '../../support/builders/platforms/import-states.ts';

const states = await openImportStates();

const dueNames = async (now: Date): Promise<string[]> => {
  const by = now.toISOString();
  const listed = [
    listDueItems(states.table, { partitions: [dueImportPartition], by }),
    states.imports.listAhead(now),
  ];
  const names: string[] = [];
  for (const items of listed) {
    for await (const item of items) names.push(tenantOf(item).schemaName);
  }
  return names;
};

/** Writes the due key of an earlier version, which lacks the time at which it was set. */
const withOldDue = async (name: TenantName, dueAt: string): Promise<void> => {
  const { due_sk } = dueImportKey(name, { dueAt, setAt: 'x' });
  const values = { ':due': due_sk.replace('#x#', '#') };
  await states.table.update({ update: importKey(name), expression: 'SET due_sk = :due', values });
};

/** The due time of an import by status, and its due time after it is resumed then. */
const dueTimes = [
  ['requested', '09:40:00', '09:50:00'],
  ['running', '09:40:00', '09:50:00'],
  ['waiting', '10:30:00', '10:40:00'],
] as const;

describe('resuming', () => {
  test.each(dueTimes)('requests a %s import from its due time on', async (...it) => {
    const [status, time, next] = it;
    const name = await states.create(status);
    const before = await states.look(name);
    const tooEarly = new Date(at(time).getTime() - 1);
    expect(await states.imports.resume(name, tooEarly)).toBe(false);
    expect(await states.look(name)).toEqual(before);
    expect(await states.imports.resume(name, at(time))).toBe(true);
    expect(await states.look(name)).toEqual({
      state: { ...before.state, status: 'requested' },
      due: [at(next).toISOString()],
      tenant: before.tenant,
    });
  });

  test.each(everyStatus)(
    'succeeds once in a race, and only while the import is unfinished: %s',
    async (it) => {
      const name = await states.create(it);
      const resumed = await Promise.all(
        Array.from({ length: 16 }, () => states.imports.resume(name, at('11:00:00'))),
      );
      const hasEnded = it === 'complete' || it === 'failed';
      expect(resumed.filter(Boolean)).toHaveLength(hasEnded ? 0 : 1);
      expect(await states.look(name)).toMatchObject({
        state: { status: hasEnded ? it : 'requested' },
        due: hasEnded ? [] : ['2026-03-23T11:10:00.000Z'],
      });
    },
  );
});

/** `openImportStates` sets due times at 09:39 at the latest. The earliest is 09:40. */
describe('after the clock has jumped back', () => {
  test.each([
    ['an hour', '08:39:00', true],
    ['until nothing is due', '09:00:00', true],
    ['less than clocks can differ', '09:38:30', false],
    ['not at all', '09:39:59', false],
  ])('by %s, imports with later due times resume immediately: %s', async (_, time, isResumed) => {
    for (const status of ['running', 'waiting'] as const) {
      const name = await states.create(status);
      const due = await dueNames(at(time));
      expect([status, due.includes(name.schemaName)]).toEqual([status, isResumed]);
      expect(await states.imports.resume(name, at(time))).toBe(isResumed);
      const found = await states.imports.find(name);
      expect(found?.status).toBe(isResumed ? 'requested' : status);
      expect(await dueNames(at(time))).not.toContain(name.schemaName);
    }
  });

  test('imports of older versions wait for their due time', async () => {
    const name = await states.create('running');
    await withOldDue(name, at('09:44:00').toISOString());
    expect(await states.imports.resume(name, at('08:00:00'))).toBe(false);
    expect(await dueNames(at('08:00:00'))).not.toContain(name.schemaName);
    expect(await states.imports.resume(name, at('09:44:00'))).toBe(true);
  });
});

describe('a start of the service', () => {
  test('resumes only running imports', async () => {
    const names = await Promise.all(everyStatus.map(states.create));
    const before = await Promise.all(names.map(states.look));
    const running = (await states.scan()).filter(({ status }) => status === 'running');
    expect(await states.imports.voidLeases(at('09:39:30'))).toBe(running.length);
    const after = await Promise.all(names.map(states.look));
    expect(after).toEqual(
      before.map((it) =>
        it.state?.status === 'running'
          ? {
              ...it,
              state: { ...it.state, status: 'requested' },
              due: [at('09:49:30').toISOString()],
            }
          : it,
      ),
    );
    expect(await states.imports.voidLeases(at('09:39:31'))).toBe(0);
  });
});

test.each(everyStatus)('an operator can resume a %s import, unless it has ended', async (it) => {
  const name = await states.create(it);
  const hasEnded = it === 'complete' || it === 'failed';
  expect(await states.imports.resumeAtOnce(name, at('09:39:00'))).toBe(!hasEnded);
  const found = await states.imports.find(name);
  expect(found?.status).toBe(hasEnded ? it : 'requested');
});
