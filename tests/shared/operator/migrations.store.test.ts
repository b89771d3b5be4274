import { beforeEach, describe, expect, test } from 'vitest';
import { openCharts } from '#shared/accounts/charts.store.ts';
import { byService } from '#shared/history/tenant-history.ts';
import { currentFormat, openMigrations } from '#shared/operator/migrations.store.ts';
import { formatKey, passwordKey, userKey } from '#shared/table/keys.ts';
import type { MigrationStep } from '#shared/table/migration-step.ts';
import type { Action } from '#shared/table/table.ts';
import { openTableScan } from '#shared/table/table-scan.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';
import { format3Items, afterFormat3 as now } from '../../support/readers/earlier-formats.ts';
import { type RawItem, sortItems } from '../../support/readers/item-kinds.ts';

type Database = Awaited<ReturnType<typeof openTestTable>>;

const scanOf = ({ tableName, endpoint }: Database) => openTableScan(tableName, { endpoint });

const migrationsOf = (database: Database, steps?: readonly MigrationStep[]) =>
  openMigrations(database.table, { scan: scanOf(database), ...(steps && { steps }) });

const byKey = (items: readonly RawItem[]): RawItem[] =>
  items.toSorted((one, other) => (`${one.pk} ${one.sk}` < `${other.pk} ${other.sk}` ? -1 : 1));

/** All items except the stamp, which has the time of the run. */
const dataOf = async ({ scan }: Database): Promise<RawItem[]> =>
  byKey((await scan()).filter(({ sk }) => sk !== formatKey.sk));

const applicationId = String(format3Items.find(({ sk }) => sk === 'demo')?.applicationId);

const manual = format3Items.find(({ companyName }) => companyName === 'Analytical Engines');

/** Expects a number of its own for each account of a chart, up to the last one that is counted. */
const expectNumbers = (items: readonly RawItem[]): void => {
  const numbersOf = new Map<unknown, unknown[]>();
  for (const { pk, number } of items.filter(({ kind }) => kind === 'account')) {
    numbersOf.set(pk, [...(numbersOf.get(pk) ?? []), number]);
  }
  expect(numbersOf.size).toBe(5);
  for (const [pk, numbers] of numbersOf) {
    const last = items.find((it) => it.pk === pk && it.sk === 'COUNT#ACCOUNTS')?.numbered;
    const all = Array.from({ length: Number(last) }, (_, index) => index + 1);
    expect(numbers.map(Number).sort((one, other) => one - other)).toEqual(all);
  }
};

describe('a table of format 3', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestTable({ items: format3Items, hasAuthenticators: false });
  });

  test('is converted and stamped, and has only known kinds of items', async () => {
    const migrations = migrationsOf(database);
    const report = await migrations.migrate({ now });
    expect(report).toMatchObject({ formatBefore: 3, format: currentFormat });
    expect(await migrations.findFormat()).toBe(currentFormat);
    const items = await database.scan();
    const sorted = sortItems(items);
    expect([sorted.strays, sorted.orphans()]).toEqual([[], []]);
    expectNumbers(items);
  });

  test('gives each account a number of its own while others are added', async () => {
    const charts = openCharts(database.table);
    const name = { applicationId, schemaName: String(manual?.schemaName) };
    const add = async (code: string) => {
      const { state } = await charts.find(name, code, { withState: true });
      const account = { code, name: code, type: 'asset', status: 'active' } as const;
      const change = { ...byService, at: '2026-03-24T12:00:00.000Z' };
      return charts.add(name, { account, maximum: 1_000, state, change });
    };
    const adding = async () => {
      const codes = Array.from({ length: 20 }, (_, index) => `new-${index}`);
      for (const code of codes) expect(await add(code)).toMatchObject({ outcome: 'added' });
    };
    await Promise.all([migrationsOf(database).migrate({ now }), adding()]);
    const items = await database.scan();
    expect(items.filter(({ code }) => String(code).startsWith('new-'))).toHaveLength(20);
    expectNumbers(items);
  });

  test('keeps passwords, in partitions without users', async () => {
    await migrationsOf(database).migrate({ now });
    const user = { applicationId, email: 'ada@example.com' };
    const stored = format3Items.find(
      ({ pk, sk }) => pk === userKey(user).pk && sk === passwordKey(user).sk,
    );
    expect(stored?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(await database.table.get(passwordKey(user))).toEqual({
      ...passwordKey(user),
      passwordHash: stored?.passwordHash,
    });
    const inPartition = (await dataOf(database)).filter(({ pk }) => pk === userKey(user).pk);
    expect(inPartition.map(({ sk }) => String(sk).split('#')[0])).toEqual([
      ...Array(5).fill('TENANT'),
      'USER',
    ]);
  });

  test('is not changed by a second run', async () => {
    const migrations = migrationsOf(database);
    await migrations.migrate({ now });
    const before = byKey(await database.scan());
    expect(await migrations.migrate({ now })).toMatchObject({
      formatBefore: currentFormat,
      itemsRead: 0,
    });
    const again = await migrations.migrate({ now, again: true });
    expect(again.itemsRead).toBe(before.length);
    expect(again.steps.map(({ converted }) => converted)).toEqual(again.steps.map(() => 0));
    expect(byKey(await database.scan())).toEqual(before);
  });

  test.each([0, 1, 2])(
    'is converted by another run if one is killed after %s items',
    async (most) => {
      const whole = await openTestTable({ items: format3Items, hasAuthenticators: false });
      await migrationsOf(whole).migrate({ now });
      let done = 0;
      const dying = {
        get: database.table.get,
        transact: (actions: readonly Action[]) => {
          if (done === most) throw new Error('killed');
          done += 1;
          return database.table.transact(actions);
        },
      };
      const killed = openMigrations(dying, { scan: scanOf(database) }).migrate({ now });
      await expect(killed).rejects.toThrow('killed');
      expect(await migrationsOf(database).findFormat()).toBe(3);
      await migrationsOf(database).migrate({ now });
      expect(await dataOf(database)).toEqual(await dataOf(whole));
    },
  );

  test('can be converted by two runs at the same time', async () => {
    const runs = [1, 2].map(() => migrationsOf(database).migrate({ now }));
    const formats = (await Promise.all(runs)).map(({ format }) => format);
    expect(formats).toEqual([currentFormat, currentFormat]);
    const items = await database.scan();
    expect(sortItems(items).strays).toEqual([]);
    expectNumbers(items);
  });
});

describe('a step', () => {
  const key = { pk: 'test', sk: 'item' };

  test('is repeated if its item has changed', async () => {
    const database = await openTestTable({ items: [{ ...key, version: 1 }] });
    let reads = 0;
    const addOne: MigrationStep = {
      name: 'one more',
      start: () => ({
        convert: ({ pk, version, isConverted }) => {
          if (pk !== key.pk || isConverted) return [];
          reads += 1;
          return [
            {
              update: key,
              expression: 'SET isConverted = :true, version = :next',
              condition: 'version = :version',
              values: { ':true': true, ':version': version, ':next': Number(version) + 1 },
            },
          ];
        },
      }),
    };
    const { table } = database;
    const meddling = {
      get: table.get,
      transact: async (actions: readonly Action[]) => {
        if (reads === 1) await database.seed({ ...key, version: 7 });
        return table.transact(actions);
      },
    };
    const migrations = openMigrations(meddling, { scan: scanOf(database), steps: [addOne] });
    const report = await migrations.migrate({ now });
    expect([reads, report.steps]).toEqual([2, [{ name: 'one more', converted: 1 }]]);
    expect(await table.get(key)).toMatchObject({ version: 8, isConverted: true });
  });

  test('that is disturbed in every pass gives up without a stamp', async () => {
    const database = await openTestTable({ items: [key] });
    const hopeless: MigrationStep = {
      name: 'hopeless',
      start: () => ({ convert: () => [{ check: key, condition: 'pk = sk' }] }),
    };
    const migrations = migrationsOf(database, [hopeless]);
    await expect(migrations.migrate({ now })).rejects.toThrow(
      '1 items changed during their conversion in the last of 10 passes',
    );
    expect(await migrations.findFormat()).toBe(3);
  });
});
