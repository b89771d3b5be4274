import { beforeEach, describe, expect, test } from 'vitest';
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

describe('a table of format 3', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestTable({ items: format3Items });
  });

  test('is converted and stamped, and has only known kinds of items', async () => {
    const migrations = migrationsOf(database);
    const report = await migrations.migrate({ now });
    expect(report).toMatchObject({ formatBefore: 3, format: currentFormat });
    expect(await migrations.findFormat()).toBe(currentFormat);
    const sorted = sortItems(await database.scan());
    expect([sorted.strays, sorted.orphans()]).toEqual([[], []]);
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
    expect(await migrations.migrate({ now })).toMatchObject({ formatBefore: 5, itemsRead: 0 });
    const again = await migrations.migrate({ now, again: true });
    expect(again.itemsRead).toBe(before.length);
    expect(again.steps.map(({ converted }) => converted)).toEqual(again.steps.map(() => 0));
    expect(byKey(await database.scan())).toEqual(before);
  });

  test.each([0, 1, 2])(
    'is converted by another run if one is killed after %s items',
    async (most) => {
      const whole = await openTestTable({ items: format3Items });
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
    expect((await Promise.all(runs)).map(({ format }) => format)).toEqual([5, 5]);
    expect(sortItems(await database.scan()).strays).toEqual([]);
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
