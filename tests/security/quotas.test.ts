// The quotas of applications and tenants: the last place is given once, and existing records stay.

import { describe, expect, test } from 'vitest';
import { openAccounts } from '#shared/accounts/accounts.store.ts';
import { defaultChart } from '#shared/accounts/default-chart.ts';
import { countTenants } from '#shared/applications/quota-counts.store.ts';
import { historyKey } from '#shared/table/history-keys.ts';
import {
  accountCountKey,
  accountKey,
  tenantCountKey,
  tenantCountSort,
} from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { testQuotas } from '../support/builders/quotas.ts';
import { euroEntry, manualTenant } from '../support/builders/requests.ts';
import { callsOf, openTenantCalls } from '../support/harnesses/calls.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { openTenantCreation } from '../support/harnesses/tenant-creation.ts';
import { openTenantImports } from '../support/harnesses/tenant-imports.ts';
import { chartAccount } from '../support/readers/charts.ts';
import { problemsOf, success } from '../support/readers/replies.ts';

const statusesOf = (replies: readonly { status: number }[]) => replies.map(({ status }) => status);
const manyOf = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

describe('the accounts of a tenant', async () => {
  const accountsPerTenant = defaultChart.length + 10;
  const quotas = { ...testQuotas, accountsPerTenant };
  const { send, ledger } = await openTenantCalls({ quotas });
  const { createTenant, table, seed } = ledger;
  const account = (code: string) => ({ code, name: 'Loan', type: 'liability' });
  const nameOf = ({ schemaName }: { schemaName: string }) => ({
    applicationId: 'app1',
    schemaName,
  });
  const refusal = {
    code: 'account_quota_reached',
    pointer: '/domain_url',
    params: { quota: 'accounts_per_tenant', maximum: accountsPerTenant },
  };

  test('reach the quota once if twenty requests race for the last place', async () => {
    const tenant = await createTenant('Full');
    const create = (code: string) =>
      send('createAccount', { domain_url: tenant.prefix, ...account(code) });
    for (let index = 0; index < 9; index += 1) expect((await create(`N${index}`)).status).toBe(200);
    const replies = await manyOf(20, (index) => create(`M${index}`));
    expect(statusesOf(replies).sort()).toEqual([200, ...Array(19).fill(422)]);
    const refused = replies.find(({ status }) => status === 422);
    expect(refused?.body.error.details).toMatchObject([refusal]);
    expect(await table.get(accountCountKey(nameOf(tenant)))).toMatchObject({
      accounts: accountsPerTenant,
    });
    expect((await create('N1')).body.data).toMatchObject({ code: 'N1', created: false });
    const rename = { domain_url: tenant.prefix, code: 'N1', name: 'Renamed' };
    expect((await send('updateAccount', rename)).status).toBe(200);
  });

  test('are counted when the first one is added, if nobody has counted them yet', async () => {
    const tenant = await createTenant('Older');
    const key = accountCountKey(nameOf(tenant));
    for (const it of [key, historyKey(nameOf(tenant), 1)]) {
      await table.consume(it, { condition: 'attribute_exists(pk)' });
    }
    const create = (code: string) =>
      send('createAccount', { domain_url: tenant.prefix, ...account(code) });
    const replies = await manyOf(12, (index) => create(`N${index}`));
    expect(statusesOf(replies).sort()).toEqual([...Array(10).fill(200), 422, 422]);
    expect(await table.get(key)).toMatchObject({ accounts: accountsPerTenant });
  });

  test('have codes of 64 bytes at most, except existing ones', async () => {
    const tenant = await createTenant('Long Codes');
    const domain_url = tenant.prefix;
    const long = 'ö'.repeat(33);
    const reply = await send('createAccount', { domain_url, ...account(long) });
    expect(reply.status).toBe(422);
    expect(reply.body.error.details).toMatchObject([
      {
        code: 'account_code_too_long',
        pointer: '/code',
        params: { quota: 'account_code_bytes', maximum: 64, bytes: 66 },
      },
    ]);
    const older = { code: long, name: 'Loan', type: 'liability', status: 'active' };
    await seed({ ...accountKey(nameOf(tenant), long), kind: 'account', ...older });
    expect((await send('createAccount', { domain_url, ...account(long) })).body.data.created).toBe(
      false,
    );
    const archive = await send('updateAccount', { domain_url, code: long, status: 'archived' });
    expect(archive.body.data).toMatchObject({ code: long, status: 'archived' });
    expect(
      (await send('listAccounts', { domain_url, code: long })).body.data.accounts,
    ).toHaveLength(1);
  });

  test('of a platform keep a longer code that they have, and get one by id if new', async () => {
    const tenant = await createTenant('Imported Codes');
    const [kept, added] = ['ä'.repeat(40), 'ü'.repeat(40)];
    const generous = openAccounts(table, { ...testQuotas, accountCodeBytes: 256 });
    const accounts = openAccounts(table, testQuotas);
    await generous.record(nameOf(tenant), [chartAccount('kept', kept)]);
    await accounts.record(nameOf(tenant), [
      chartAccount('kept', kept, { name: 'Renamed' }),
      chartAccount('added', added),
    ]);
    const found = await accounts.findMany(nameOf(tenant), ['kept', 'added']);
    expect([...found.values()].map(({ code, name }) => [code, name])).toEqual([
      [kept, 'Renamed'],
      ['ID-added', expect.any(String)],
    ]);
  });
});

describe('the accounts of an import beyond the quota', async () => {
  const { newCompany, table } = await openTenantImports();

  test('are skipped and counted by that reason, and the import ends', async () => {
    const total = 40;
    const accountsOfPlatform = Array.from({ length: total }, (_, index) =>
      chartAccount(`account-${index}`, `${7_000 + index}`),
    );
    const company = newCompany({ accountPages: [accountsOfPlatform] });
    await company.connect();
    const accounts = openAccounts(table, { ...testQuotas, accountsPerTenant: 35 });
    await company.runToEnd({ accounts });
    const state = await company.state();
    expect(state.tenant).toEqual(['active', 'records_refused']);
    expect(state.accounts).toHaveLength(35);
    expect((await company.record()).checkpoint).toMatchObject({
      accountsImported: 35,
      accountsRefused: total - 35,
      refusedByReason: { account_quota_reached: total - 35 },
    });
  });
});

describe('the tenants of an application', async () => {
  const tenantsPerApplication = 10;
  const { newCompany, table } = await openTenantCreation({ ...testQuotas, tenantsPerApplication });
  const refusal = {
    code: 'tenant_quota_reached',
    pointer: '',
    params: { quota: 'tenants_per_application', maximum: tenantsPerApplication },
  };

  test('reach the quota once if twenty requests race for the last place', async () => {
    const company = newCompany();
    const connected = newCompany();
    expect((await connected.create(connected.connected())).status).toBe(200);
    const manual = { ...manualTenant, user_id: 41, company_name: 'Quota' };
    const repeated = { idempotencyKey: 'repeated' };
    for (let index = 0; index < 8; index += 1) {
      expect((await company.create(manual, index === 0 ? repeated : {})).status).toBe(200);
    }
    const replies = await manyOf(20, () => company.create(manual));
    expect(statusesOf(replies).sort()).toEqual([200, ...Array(19).fill(422)]);
    const refused = replies.find(({ status }) => status === 422);
    expect(refused?.body.error.details).toMatchObject([refusal]);
    expect(await table.get(tenantCountKey('app1'))).toMatchObject({ tenants: 10 });

    // A repeat and a company that is connected again add none.
    expect((await company.create(manual, repeated)).status).toBe(200);
    expect((await connected.create(connected.connected())).status).toBe(200);
    // A further company is refused before the caller's refresh token is used.
    const further = newCompany();
    const reply = await further.create(further.connected());
    expect(reply.body.error.details).toMatchObject([refusal]);
    expect(further.fake.calls).not.toContain('refresh');
    expect(await table.get(tenantCountKey('app1'))).toMatchObject({ tenants: 10 });
    // Another application has its own quota.
    const theirs = await company.create({ ...manual, user_id: 43 }, { applicationId: 'app2' });
    expect(theirs.status).toBe(200);
  });
});

describe('the dates of an entry', async () => {
  const quotas = { ...testQuotas, entryYearsBack: 50, entryYearsAhead: 5 };
  const { ledger, domain_url, time, send } = await openTenantCalls({ quotas });
  const back = { quota: 'entry_years_back', maximum: 50, earliest: '1976-03-24' };
  const ahead = { quota: 'entry_years_ahead', maximum: 5, latest: '2031-03-24' };

  test.each<[string, object]>([
    ['50 years ago', { date: '1976-03-24' }],
    ['in 5 years', { date: '2031-03-24' }],
    ['to count in 5 years', { accrual_date: '2031-03-24' }],
  ])('may be %s', async (_, fields) => {
    expect((await send('createEntry', euroEntry(fields))).status).toBe(200);
  });

  test.each<[string, object, object[]]>([
    ['earlier', { date: '1976-03-23' }, [{ pointer: '/date', params: back }]],
    ['later', { date: '2031-03-25' }, [{ pointer: '/date', params: ahead }]],
    [
      'both too far',
      { date: '0001-01-01', accrual_date: '9999-12-31' },
      [
        { pointer: '/date', params: back },
        { pointer: '/accrual_date', params: ahead },
      ],
    ],
  ])('may not be %s', async (_, fields, problems) => {
    const { status, body } = await send('createEntry', euroEntry(fields));
    expect(status).toBe(422);
    expect(body.error.details).toMatchObject(
      problems.map((it) => ({ code: 'date_out_of_range', ...it })),
    );
  });

  test('are named by the place of the entry, and beside what else is wrong with it', async () => {
    const journal_entries = [euroEntry(), euroEntry({ date: '2031-03-25', memo: ' ' })];
    const reply = await send('createEntries', { journal_entries });
    expect(problemsOf(reply)).toEqual([
      'memo_must_not_be_blank /journal_entries/1/memo',
      'date_out_of_range /journal_entries/1/date',
    ]);
  });

  test('do not refuse a repeated request', async () => {
    const far = euroEntry({ date: '2040-01-01', external_id: 'far' });
    const generous = openInstance({ table: ledger.table, clock: () => new Date(time.now) });
    const { body } = await callsOf(generous, { domain_url }).send('createEntry', far);
    expect(await send('createEntry', far)).toMatchObject({
      ...success({ ...body.data, replayed: true }),
      status: 200,
    });
  });
});

describe('the migration of a table without counts', () => {
  /** The number of tenants of each application after the step, and the writes of the step. */
  const count = async (items: readonly Item[]) => {
    const { convert, finish } = countTenants.start();
    expect(items.flatMap(convert)).toEqual([]);
    return finish?.().flat();
  };

  test('counts the tenants of each application, unless they are counted', async () => {
    const { scan, createTenant, table } = await openTestLedger();
    for (const [company, applicationId] of [
      ['One', 'app1'],
      ['Two', 'app1'],
      ['Three', 'app2'],
    ]) {
      await createTenant(String(company), { applicationId: String(applicationId) });
    }
    const items = await scan();
    expect(await count(items)).toEqual([]);
    const actions = await count(items.filter(({ sk }) => sk !== tenantCountSort));
    expect(actions).toMatchObject([
      { update: tenantCountKey('app1'), values: { ':tenants': 2 } },
      { update: tenantCountKey('app2'), values: { ':tenants': 1 } },
    ]);
    // Before the migration one of the two was added and counted from zero.
    const late = items.map((item) => (item.tenants === 2 ? { ...item, tenants: 1 } : item));
    expect(await count(late)).toMatchObject([
      { update: tenantCountKey('app1'), values: { ':tenants': 2 } },
    ]);
    table.close();
  });
});
