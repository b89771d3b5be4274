import { describe, expect, test } from 'vitest';
import { listBackground, retryBackground } from '#infra/ops/commands/background.ts';
import { openDueWork } from '#shared/background/due-index.store.ts';
import {
  dueConnectionKey,
  dueDatePlace,
  dueImportKey,
  dueImportPartition,
  dueSortOf,
} from '#shared/table/due-keys.ts';
import { connectionKey, dueDateKey, importKey, type Key } from '#shared/table/keys.ts';
import { addTenant } from '../../support/builders/platforms/connected-tenants.ts';
import { useOperator } from '../../support/harnesses/operator.ts';

const operator = useOperator({ each: true });
const now = '2026-03-23T09:30:00.000Z';

/** Stuck work of each kind, for two tenants. */
const seedStuck = async () => {
  const { database } = operator;
  const add = (prefix: string) => addTenant(operator.ledger, { prefix, slot: 'manual' });
  const names = [await add('one'), await add('two')];
  const put = async (item: Key & { due_pk: string; due_sk: string }) => {
    await database.seed(item);
    const failed = { reason: 'internal_error', now: new Date(now) } as const;
    await openDueWork(database.table).putOff(item, failed);
  };
  for (const name of names) {
    const date = dueDateKey(name, '2026-03-20');
    await put({ ...date, ...dueDatePlace(date) });
    await put({ ...importKey(name), ...dueImportKey(name, { dueAt: now, setAt: now }) });
    await put({ ...connectionKey(name), ...dueConnectionKey(name, now) });
    // Not stuck, so not listed.
    const later = dueDateKey(name, '2026-03-21');
    await database.seed({ ...later, ...dueDatePlace(later) });
  }
  return names;
};

const list = async () => (await listBackground.run(operator.dependencies, {})).stuck;
const retry = async (options: Parameters<typeof retryBackground.run>[1]) =>
  (await retryBackground.run(operator.dependencies, options)).retried;

const kinds = [
  ['scheduled_entries', '2026-03-20'],
  ['import', null],
  ['connection', null],
] as const;
const rowsOf = (names: Awaited<ReturnType<typeof seedStuck>>) =>
  kinds.flatMap(([work, date]) =>
    names.map(({ applicationId, schemaName }) => ({
      work,
      application_id: applicationId,
      schema_name: schemaName,
      date,
      reason: 'internal_error',
      since: now,
      attempts: 1,
      next_attempt_at: '2026-03-23T09:35:00.000Z',
    })),
  );

describe('stuck work', () => {
  test('of every kind is listed with its reason and its next attempt', async () => {
    expect(await list()).toEqual([]);
    const names = await seedStuck();
    expect(await list()).toHaveLength(6);
    expect(await list()).toEqual(expect.arrayContaining(rowsOf(names)));
  });

  test('of one tenant is due immediately after a retry and not stuck', async () => {
    const [one, two] = await seedStuck();
    if (!one || !two) throw new Error('two tenants are expected');
    const retried = await retry({ tenant: 'one', application: 'bookings', all: false });
    expect(retried).toEqual(rowsOf([one]));
    expect(await list()).toEqual(rowsOf([two]));
    const item = await operator.database.table.get(importKey(one));
    const key = importKey(one);
    const due = { due_pk: dueImportPartition, due_sk: dueSortOf(key, now) };
    expect(item).toEqual({ ...key, ...due });
  });

  test('of all tenants is retried with --all', async () => {
    await seedStuck();
    expect(await retry({ all: true })).toHaveLength(6);
    expect(await list()).toEqual([]);
    expect(await retry({ all: true })).toEqual([]);
  });
});
