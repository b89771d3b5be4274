// Nobody who can change the table but not read the key changes an item of the books unnoticed.

import { expect, test } from 'vitest';
import {
  type AuthenticatorKeys,
  openAuthenticators,
} from '#shared/authentication/authenticators.ts';
import { BooksDiffer } from '#shared/entries/entry-checks.ts';
import type { Key } from '#shared/table/keys.ts';
import { openTable } from '#shared/table/table.ts';
import { fixedSecret, newKeys, testAuthenticatorKeys } from '../../support/builders/secrets.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';
import type { RawItem } from '../../support/readers/item-kinds.ts';

const database = await openTestTable();
const { table, tamper, tableName, endpoint } = database;
const pk = 'APP#a#TENANT#acme';

const openWith = (keys: AuthenticatorKeys) =>
  openTable(tableName, { endpoint }, { authenticators: openAuthenticators(fixedSecret(keys)) });

const rawOf = async ({ sk }: Key): Promise<RawItem> => {
  const item = (await database.scan()).find((it) => it.sk === sk);
  if (item === undefined) throw new Error(`there is no item ${sk}`);
  return item;
};

const readings = (key: Key) => ({
  get: () => table.get(key),
  getMany: () => table.getMany([key]),
  query: () =>
    table.query({
      KeyConditionExpression: 'pk = :pk AND sk = :sk',
      ExpressionAttributeValues: { ':pk': key.pk, ':sk': key.sk },
    }),
  transact: () => table.transact([{ put: key, condition: 'attribute_not_exists(pk)' }]),
});

test.each([
  ['an entry', 'ENTRY#2026-03-20#MJ#000000001', { memo: 'Gift', reversedBy: 'id' }],
  ['its further lines', 'ENTRY#2026-03-20#MJ#000000001#LINES#001', { lines: [{ debit: '2.00' }] }],
  ['a sheet', 'SEQUENCE#2026-03-20#MJ', { rows: 'other', revision: 2 }],
  ['carried totals', 'CARRIED#2026-03-31#001', { rows: 'other' }],
  ['carried chains', 'CHAINS#2026-03', { chains: 'other' }],
  ['an account', 'ACCOUNT#1010', { type: 'expense' }],
  ['a tenant', 'TENANT', { currency: 'USD', lockDate: '2026-01-31' }],
  ['a guard', 'EXT#invoice-1', { entrySk: 'ENTRY#other' }],
  ['a change', 'HISTORY#000000001', { actorId: 'other' }],
])('%s cannot be altered, moved, or stripped of its authenticator', async (_, sk, changes) => {
  const key = { pk, sk };
  const [[covered, value] = [], [mutable, later] = []] = Object.entries(changes);
  await table.transact([{ put: { ...key, [String(covered)]: 'first', nested: { a: [1, null] } } }]);
  const written = await rawOf(key);
  expect(await table.get(key)).not.toHaveProperty('mac');
  if (mutable !== undefined) {
    await tamper({ ...written, [mutable]: later });
    expect(await table.get(key)).toMatchObject({ [mutable]: later });
  }
  const moved = { ...written, sk: `${sk.split('#')[0]}#elsewhere` };
  const { mac, ...stripped } = written;
  for (const altered of [
    { ...written, [String(covered)]: value },
    stripped,
    { ...stripped, mac: '1.' },
    { ...written, mac: `2${String(mac).slice(1)}` },
  ]) {
    await tamper(altered);
    for (const read of Object.values(readings(key)))
      await expect(read()).rejects.toThrow(BooksDiffer);
  }
  await tamper(written, ...(sk === 'TENANT' ? [] : [moved]));
  if (sk !== 'TENANT') await expect(table.get({ pk, sk: moved.sk })).rejects.toThrow(BooksDiffer);
  expect(await table.get(key)).toMatchObject({ [String(covered)]: 'first' });
});

test('items of other kinds have none', async () => {
  await table.transact([{ put: { pk, sk: 'IMPORT', status: 'done' } }]);
  expect(await rawOf({ pk, sk: 'IMPORT' })).not.toHaveProperty('mac');
});

test('items under an earlier key are read, and those under a key that came later', async () => {
  const key = { pk, sk: 'ENTRY#2026-03-21#MJ#000000001' };
  await table.transact([{ put: { ...key, memo: 'first' } }]);
  const rotated = {
    current: '2',
    versions: { ...testAuthenticatorKeys.versions, ...newKeys('2').versions },
    use: 'required' as const,
  };
  const later = { pk, sk: 'ENTRY#2026-03-21#MJ#000000002' };
  const current = openWith(rotated);
  expect(await current.get(key)).toMatchObject({ memo: 'first' });
  await current.transact([{ put: { ...later, memo: 'second' } }]);
  const secret = { read: async () => testAuthenticatorKeys, readAgain: async () => rotated };
  const warm = openTable(tableName, { endpoint }, { authenticators: openAuthenticators(secret) });
  expect(await warm.get(later)).toMatchObject({ memo: 'second' });
});

test('while they are adopted, items without one are read, and altered items are not', async () => {
  const key = { pk, sk: 'ENTRY#2026-03-22#MJ#000000001' };
  await tamper({ ...key, memo: 'earlier' });
  const adopting = openWith({ ...testAuthenticatorKeys, use: 'adopting' });
  expect(await adopting.get(key)).toMatchObject({ memo: 'earlier' });
  await adopting.transact([{ put: { ...key, memo: 'new' } }]);
  await tamper({ ...(await rawOf(key)), memo: 'altered' });
  await expect(adopting.get(key)).rejects.toThrow(BooksDiffer);
  const off = openWith({ ...testAuthenticatorKeys, use: 'off' });
  expect(await off.get(key)).toEqual({ ...key, memo: 'altered' });
  await off.transact([{ put: { ...key, memo: 'off' } }]);
  expect(await rawOf(key)).not.toHaveProperty('mac');
});
