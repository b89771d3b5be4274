import { beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '#shared/domain/accounts.ts';
import { type Imports, importAction, openImports } from '#shared/store/imports.ts';
import { tenantKey } from '#shared/store/keys.ts';
import { openTestTable } from '../../support/database.ts';

const requestedAt = '2026-03-23T09:30:00.000Z';
const finishedAt = '2026-03-23T09:31:00.000Z';

const account = (code: string, name = `Account ${code}`): Account => ({
  code,
  name,
  type: 'asset',
  status: 'active',
});

let database: Awaited<ReturnType<typeof openTestTable>>;
let imports: Imports;
let newTenant: (schemaName: string) => Promise<{ applicationId: string; schemaName: string }>;

beforeAll(async () => {
  database = await openTestTable();
  imports = openImports(database.table);
  newTenant = async (schemaName) => {
    const name = { applicationId: 'app1', schemaName };
    await database.table.transact([
      { put: { ...tenantKey(name), status: 'importing' } },
      importAction(name, { importId: 'first', requestedAt }),
    ]);
    return name;
  };
});

const statusOf = async (name: { applicationId: string; schemaName: string }) =>
  (await database.table.get(tenantKey(name)))?.status;

describe('an import', () => {
  test('is found as it was asked for', async () => {
    const name = await newTenant('asked');
    expect(await imports.find(name)).toEqual({
      kind: 'import',
      importId: 'first',
      ...name,
      status: 'requested',
      requestedAt,
      finishedAt: null,
      accountsImported: 0,
      reason: null,
    });
    expect(await imports.find({ ...name, applicationId: 'app2' })).toBeUndefined();
  });

  test.each([
    ['complete', null, 'active'],
    ['failed', 'platform_unavailable', 'import_failed'],
    ['failed', 'credentials_refused', 'disconnected'],
  ] as const)('ends as %s for the reason %s, and leaves the tenant %s', async (...expected) => {
    const [status, reason, tenantStatus] = expected;
    const name = await newTenant(`ends_${tenantStatus}`);
    const end = { importId: 'first', finishedAt, accountsImported: 3, reason, tenantStatus };
    expect(await imports.finish(name, end)).toBe(true);
    expect(await imports.find(name)).toMatchObject({
      importId: 'first',
      status,
      finishedAt,
      accountsImported: 3,
      reason,
    });
    expect(await statusOf(name)).toBe(tenantStatus);
  });

  test.each([
    ['it was ended before', 'first', 'late'],
    ['another one has taken its place', 'second', 'replaced'],
  ])('changes nothing at its end where %s', async (_, importId, schemaName) => {
    const name = await newTenant(schemaName);
    const end = { importId: 'first', finishedAt, accountsImported: 3 };
    if (importId === 'first') {
      await imports.finish(name, { ...end, reason: null, tenantStatus: 'active' });
    } else {
      await database.table.transact([importAction(name, { importId, requestedAt })]);
    }
    const before = [await imports.find(name), await statusOf(name)];
    const failed = { ...end, reason: 'rate_limited', tenantStatus: 'import_failed' } as const;
    expect(await imports.finish(name, failed)).toBe(false);
    expect([await imports.find(name), await statusOf(name)]).toEqual(before);
  });
});

describe('accounts of an import', () => {
  const accountsOf = async (schemaName: string) =>
    (await database.scan())
      .filter(({ pk, kind }) => pk === `APP#app1#TENANT#${schemaName}` && kind === 'account')
      .map(({ sk, code, name }) => [sk, code, name])
      .sort();

  test('are added by the hundred and brought up to date', async () => {
    const name = await newTenant('chart');
    const accounts = Array.from({ length: 130 }, (_, number) => account(String(1000 + number)));
    await imports.recordAccounts(name, accounts);
    await imports.recordAccounts(name, [account('1007', 'Petty cash'), account('2000')]);
    expect(await accountsOf('chart')).toEqual([
      ...accounts.map(({ code, name: title }) => [
        `ACCOUNT#${code}`,
        code,
        code === '1007' ? 'Petty cash' : title,
      ]),
      ['ACCOUNT#2000', '2000', 'Account 2000'],
    ]);
  });

  test('that share a code count once, as the last one says', async () => {
    const name = await newTenant('twins');
    await imports.recordAccounts(name, [account('1', 'Cash'), account('1', 'Bank')]);
    expect(await accountsOf('twins')).toEqual([['ACCOUNT#1', '1', 'Bank']]);
  });

  test('may be none', async () => {
    const name = await newTenant('empty');
    await imports.recordAccounts(name, []);
    expect(await accountsOf('empty')).toEqual([]);
  });
});
