import { describe, expect, test } from 'vitest';
import { listDue, listDueTenants } from '#shared/store/due-index.ts';
import {
  connectionKey,
  dueConnectionKey,
  dueConnectionPartition,
  dueImportKey,
  dueImportPartition,
  dueKey,
  dueShards,
  entryKey,
  importKey,
} from '#shared/store/keys.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';

const { table, seed } = await openTestTable();
const nameOf = (schemaName: string) => ({ applicationId: `app of ${schemaName}`, schemaName });
const momentOf = (time: string): string => `2026-03-23T${time}.000Z`;

const requests = { second: '09:10:00', third: '09:20:00', first: '09:00:00' };
for (const [schemaName, time] of Object.entries(requests)) {
  const name = nameOf(schemaName);
  const due = { dueAt: momentOf(time), setAt: momentOf('08:00:00') };
  await seed({ ...importKey(name), ...dueImportKey(name, due) });
}
const connected = nameOf('connected');
const renewAt = momentOf('09:15:00');
await seed({ ...connectionKey(connected), ...dueConnectionKey(connected, renewAt) });
const nobody = { pk: 'nobody', sk: 'x' };
await seed({ ...nobody, ...dueConnectionKey(connected, momentOf('12:00:00')) });
/** Entries of so many tenants that every shard has some, due on this day. */
const seedEntries = async (date: string) => {
  const keys = Array.from({ length: 60 }, (_, tenant) =>
    entryKey(nameOf(`tenant${tenant}`), { series: 'MJ', date, sequence: 1 }),
  );
  await seed(...keys.map((key) => ({ ...key, ...dueKey(key, date) })));
  return keys;
};
const entries = [await seedEntries('2026-03-23'), await seedEntries('2026-03-24')];

const collect = async <Found>(due: AsyncIterable<Found>): Promise<Found[]> => {
  const found: Found[] = [];
  for await (const it of due) found.push(it);
  return found;
};

describe('what is due', () => {
  test.each([
    ['08:59:59', 0],
    ['09:10:00', 2],
    ['09:19:59', 2],
    ['09:20:00', 3],
  ])('at %s is %i imports, the longest due first', async (time, count) => {
    const due = { partition: dueImportPartition, now: new Date(momentOf(time)) };
    const names = await collect(listDueTenants(table, due));
    expect(names).toEqual(['first', 'second', 'third'].slice(0, count).map(nameOf));
  });

  test('among connections is no import, and what belongs to no tenant is an error', async () => {
    const dueAt = (time: string) => {
      const due = { partition: dueConnectionPartition, now: new Date(momentOf(time)) };
      return collect(listDueTenants(table, due));
    };
    expect(await dueAt('09:15:00')).toEqual([connected]);
    await expect(dueAt('12:00:00')).rejects.toThrow('belongs to no tenant');
  });

  test.each([
    ['2026-03-22', []],
    ['2026-03-23', entries[0]],
    ['2026-03-24', entries.flat()],
    [undefined, entries.flat()],
  ])('by %s is every entry until then, of all shards', async (by, expected = []) => {
    const due = { partitions: dueShards, ...(by !== undefined && { by }) };
    const found = await collect(listDue(table, due));
    expect(new Set(found)).toEqual(new Set(expected));
    expect(found).toHaveLength(expected.length);
  });
});
