import { beforeEach, describe, expect, test } from 'vitest';
import { importAction } from '#shared/store/imports.ts';
import { dueKey, entryKey, type TenantName } from '#shared/store/keys.ts';
import { at, everyStatus, openImportStates } from '../../support/builders/import-states.ts';

let states: Awaited<ReturnType<typeof openImportStates>>;
beforeEach(async () => {
  states = await openImportStates();
});

const listDue = async (time: string): Promise<string[]> => {
  const names: TenantName[] = [];
  for await (const name of states.imports.listDue(at(time))) names.push(name);
  return names.map(({ applicationId, schemaName }) => `${applicationId} ${schemaName}`);
};

/** When each of the three that have not ended is due: ten minutes on, or as it was said. */
const dueTimes = [
  ['requested', '09:40:00'],
  ['running', '09:40:00'],
  ['waiting', '10:30:00'],
] as const;

describe('what is due', () => {
  test('is listed from its moment on, the longest overdue first', async () => {
    for (const [schemaName, time] of [
      ['second', '09:10:00'],
      ['third', '09:20:00'],
      ['first', '09:00:00'],
    ] as const) {
      const asked = { importId: schemaName, requestedAt: at(time).toISOString() };
      const name = { applicationId: `app of ${schemaName}`, schemaName };
      await states.table.transact([importAction(name, asked)]);
    }
    const names = ['first', 'second', 'third'].map((it) => `app of ${it} ${it}`);
    expect(await listDue('09:09:59')).toEqual([]);
    expect(await listDue('09:10:00')).toEqual(names.slice(0, 1));
    expect(await listDue('09:29:59')).toEqual(names.slice(0, 2));
    expect(await listDue('09:30:00')).toEqual(names);
  });

  test('is an import, and no scheduled entry that is due as well', async () => {
    const name = await states.create('requested');
    const entry = entryKey(name, { series: 'MJ', date: '2026-03-01', sequence: 1 });
    await states.seed({ ...entry, ...dueKey(entry, '2026-03-01') });
    expect(await listDue('12:00:00')).toEqual([`app1 ${name.schemaName}`]);
  });

  test('is nothing where all have ended', async () => {
    await states.create('complete');
    await states.create('failed');
    expect(await listDue('23:59:59')).toEqual([]);
  });
});

describe('resuming', () => {
  test.each(dueTimes)('asks for an import to go on that was %s, at its moment', async (...it) => {
    const [status, time] = it;
    const name = await states.create(status);
    const before = await states.look(name);
    expect(await states.imports.resume(name, at(time))).toBe(true);
    const [hour = '', minute = ''] = time.split(':');
    const next = at(`${hour}:${Number(minute) + 10}:00`).toISOString();
    expect(await states.look(name)).toEqual({
      state: { ...before.state, status: 'requested' },
      due: [next],
      tenant: before.tenant,
    });
  });

  test.each(dueTimes)('leaves an import alone that is %s and not due', async (...it) => {
    const [status, time] = it;
    const name = await states.create(status);
    const before = await states.look(name);
    const tooEarly = new Date(at(time).getTime() - 1);
    expect(await states.imports.resume(name, tooEarly)).toBe(false);
    expect(await states.look(name)).toEqual(before);
  });

  test.each(['complete', 'failed'] as const)('leaves an import alone that is %s', async (it) => {
    const name = await states.create(it);
    const before = await states.look(name);
    expect(await states.imports.resume(name, at('23:59:59'))).toBe(false);
    expect(await states.look(name)).toEqual(before);
  });

  test.each(everyStatus)('happens once of many times, if at all, while it is %s', async (it) => {
    const name = await states.create(it);
    const resumed = await Promise.all(
      Array.from({ length: 16 }, () => states.imports.resume(name, at('11:00:00'))),
    );
    const hasEnded = it === 'complete' || it === 'failed';
    expect(resumed.filter(Boolean)).toHaveLength(hasEnded ? 0 : 1);
    expect(await states.duesOf(name)).toEqual(hasEnded ? [] : ['2026-03-23T11:10:00.000Z']);
  });

  test('lets the next run take it on, with what its runs came to before', async () => {
    const name = await states.create('waiting');
    expect(await states.imports.resume(name, at('10:30:00'))).toBe(true);
    const lease = { importId: 'first', until: at('10:36:00'), runsWithoutProgress: 3 };
    expect(await states.imports.acquireLease(name, lease)).toBe(true);
    expect(await states.imports.find(name)).toMatchObject({
      status: 'running',
      runsWithoutProgress: 3,
    });
    expect(await states.duesOf(name)).toEqual(['2026-03-23T10:36:00.000Z']);
  });

  test('is nothing where there is no import', async () => {
    const name = { applicationId: 'app1', schemaName: 'nobody' };
    expect(await states.imports.resume(name, at('11:00:00'))).toBe(false);
    expect(await states.imports.find(name)).toBeUndefined();
  });
});
