import { beforeEach, describe, expect, test } from 'vitest';
import { currentFormat, openMigrations } from '#shared/operator/migrations.store.ts';
import { formatKey, passwordKey, userKey } from '#shared/table/keys.ts';
import type { MigrationStep } from '#shared/table/migration-step.ts';
import type { Action } from '#shared/table/table.ts';
import { openTableScan } from '#shared/table/table-scan.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';
import { format3Items, afterFormat3 as now } from '../../support/readers/format-3.ts';
import { type RawItem, sortItems } from '../../support/readers/item-kinds.ts';

type Database = Awaited<ReturnType<typeof openTestTable>>;

const scanOf = ({ tableName, endpoint }: Database) => openTableScan(tableName, { endpoint });

const migrationsOf = (database: Database, steps?: readonly MigrationStep[]) =>
  openMigrations(database.table, { scan: scanOf(database), ...(steps && { steps }) });

const byKey = (items: readonly RawItem[]): RawItem[] =>
  items.toSorted((one, other) => (`${one.pk} ${one.sk}` < `${other.pk} ${other.sk}` ? -1 : 1));

/** Without the stamp, whose moment is that of the run. */
const dataOf = async ({ scan }: Database): Promise<RawItem[]> =>
  byKey((await scan()).filter(({ sk }) => sk !== formatKey.sk));

const applicationId = String(format3Items.find(({ sk }) => sk === 'demo')?.applicationId);

describe('a table of format 3', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestTable({ items: format3Items });
  });

  test('is counted first, and stays as it is', async () => {
    const report = await migrationsOf(database).migrate({ now, isDryRun: true });
    expect(report).toMatchObject({ formatBefore: 3, format: 3, itemsRead: format3Items.length });
    expect(report.steps).toContainEqual({
      name: 'passwords in partitions of their own',
      converted: 3,
    });
    expect(byKey(await database.scan())).toEqual(byKey(format3Items));
  });

  test('is converted and stamped, and every item is of a known kind', async () => {
    const migrations = migrationsOf(database);
    const report = await migrations.migrate({ now });
    expect(report).toMatchObject({ formatBefore: 3, format: currentFormat });
    expect(await migrations.findFormat()).toBe(currentFormat);
    const sorted = sortItems(await database.scan());
    expect([sorted.strays, sorted.orphans()]).toEqual([[], []]);
  });

  test('keeps passwords, apart from the users', async () => {
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

  test('is left alone by a second run, and has nothing left to convert', async () => {
    const migrations = migrationsOf(database);
    await migrations.migrate({ now });
    const before = byKey(await database.scan());
    expect(await migrations.migrate({ now })).toMatchObject({ formatBefore: 4, itemsRead: 0 });
    const again = await migrations.migrate({ now, again: true });
    expect(again.itemsRead).toBe(before.length);
    expect(again.steps.map(({ converted }) => converted)).toEqual(again.steps.map(() => 0));
    expect(byKey(await database.scan())).toEqual(before);
  });

  test.each([0, 1, 2])('is converted by another run if one dies after %s items', async (most) => {
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
  });

  test('may be converted by two runs at once', async () => {
    const runs = [1, 2].map(() => migrationsOf(database).migrate({ now }));
    expect((await Promise.all(runs)).map(({ format }) => format)).toEqual([4, 4]);
    expect(sortItems(await database.scan()).strays).toEqual([]);
  });
});

describe('a step', () => {
  const key = { pk: 'test', sk: 'item' };

  test('is tried again if its item changed since it was read', async () => {
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

  test('may count over the whole table, and writes at the end', async () => {
    const items = ['a', 'b', 'c'].map((sk) => ({ pk: 'counted', sk }));
    const database = await openTestTable({ items });
    const countItems: MigrationStep = {
      name: 'count',
      start: () => {
        let [count, isThere] = [0, false];
        return {
          convert: ({ pk, sk }) => {
            if (pk === 'counted') count += 1;
            if (sk === 'COUNT') isThere = true;
            return [];
          },
          finish: () =>
            isThere ? [] : [[{ put: { pk: 'counts', sk: 'COUNT', count: String(count) } }]],
        };
      },
    };
    const migrations = migrationsOf(database, [countItems]);
    for (const converted of [1, 0]) {
      const { steps } = await migrations.migrate({ now, again: true });
      expect(steps).toEqual([{ name: 'count', converted }]);
    }
    expect(await database.table.get({ pk: 'counts', sk: 'COUNT' })).toMatchObject({ count: '3' });
  });

  test('that is disturbed in every pass gives up, and the table gets no stamp', async () => {
    const database = await openTestTable({ items: [key] });
    const hopeless: MigrationStep = {
      name: 'hopeless',
      start: () => ({ convert: () => [{ check: key, condition: 'pk = sk' }] }),
    };
    const migrations = migrationsOf(database, [hopeless]);
    await expect(migrations.migrate({ now })).rejects.toThrow(
      '1 items changed while they were converted, and 10 passes were made',
    );
    expect(await migrations.findFormat()).toBe(3);
  });
});

test('a table of a later format is refused', async () => {
  const database = await openTestTable({ items: [{ ...formatKey, format: 5 }] });
  await expect(migrationsOf(database).migrate({ now })).rejects.toThrow(
    'the table has stored format 5, and this version of the ledger reads 3 and 4',
  );
});
