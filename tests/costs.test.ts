// The costs of each operation at the table: its sequential calls, their operations and the units.
// A change here changes the bill and the latency of every request.

import { expect, test } from 'vitest';
import { openConnectionRecorder } from '#shared/connections/pending-connections.store.ts';
import { noHash } from '#shared/entries/entry-hash.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import { addDays } from '#shared/money/dates.ts';
import { feedPageKey } from '#shared/table/event-keys.ts';
import { sheetKey, tenantKey, tenantLinkKey } from '#shared/table/keys.ts';
import { openTestLedger } from './support/builders/ledger.ts';
import { ada, euroEntry, linesOf } from './support/builders/requests.ts';
import { openSmallLedger } from './support/builders/small-ledger.ts';
import { connectionOf, newSuffix } from './support/builders/tenants.ts';
import { costOf } from './support/dynamodb/costs.ts';
import { authorizerEvent, lambdaContext } from './support/events/lambda-events.ts';
import { callsOf, type Endpoint } from './support/harnesses/calls.ts';
import { openInstance } from './support/harnesses/instances.ts';

const now = '2026-03-24T12:00:00.000Z';
const later = new Date('2026-03-24T12:01:00.000Z');
const ledger = await openTestLedger();
const { call: send } = callsOf(openInstance({ table: ledger.table, clock: () => new Date(now) }));

/** An operation and its costs: sequential calls, operations, read units, write units. */
type Row = [Endpoint, object, calls: number, operations: string, read: number, write: number];
const expectCosts = async (...rows: Row[]): Promise<void> => {
  for (const [endpoint, input, sequentialCalls, operations, read, write] of rows) {
    const cost = await costOf(() => send(endpoint, input));
    expect({ ...cost, operations: cost.operations.join(' ') }, endpoint).toEqual({
      sequentialCalls,
      operations,
      units: { read, write },
    });
  }
};

const user = (email: string) => ({ ...ada, email });
const newTenant = async (companyName: string) => {
  const { prefix: domain_url, ...name } = await ledger.createTenant(companyName);
  return { domain_url, name };
};
const get = 'GetItem';
const batch = 'BatchGetItem';
const write = 'TransactWriteItems';

test('authorize, for the first time on a day and later', async () => {
  const { keys, apiKey, copy } = await openSmallLedger();
  const { table } = await copy();
  const { authorize } = openInstance({ table, keys, clock: () => new Date(now) });
  const call = () => authorize(authorizerEvent(apiKey), lambdaContext());
  expect(await costOf(call)).toEqual({
    sequentialCalls: 2,
    operations: [batch, 'UpdateItem'],
    units: { read: 3, write: 1 },
  });
  expect(await costOf(call)).toEqual({
    sequentialCalls: 1,
    operations: [batch],
    units: { read: 3, write: 0 },
  });
});

test('users', async () => {
  const lonely = 'lonely@example.com';
  await expectCosts(
    ['ensureUser', user(lonely), 2, `${get} ${write}`, 1, 6],
    ['ensureUser', user(lonely), 1, get, 1, 0],
    ['getProfile', { email: lonely }, 1, `${get} Query`, 2, 0],
    ['getUser', { email: lonely }, 1, get, 1, 0],
  );
  const { user_id } = await send('ensureUser', user('changing@example.com'));
  const parts = `${get} ${get}`;
  const [named, moved] = [
    { user_id, last_name: 'King' },
    { user_id, email: 'king@example.com' },
  ];
  await expectCosts(
    ['getUser', { user_id }, 2, parts, 2, 0],
    ['updateUser', named, 3, `${parts} ${write}`, 2, 4],
    ['updateUser', named, 2, parts, 2, 0],
    ['updateUser', moved, 4, `${parts} Query ${get} ${write}`, 4, 10],
    ['eraseUser', { user_id }, 4, `${parts} Query ${write}`, 3, 6],
    ['eraseUser', { user_id }, 1, get, 1, 0],
  );
  await newTenant('Profile One');
  await newTenant('Profile Two');
  await expectCosts(['getProfile', { email: 'ada@example.com' }, 2, `${get} Query ${batch}`, 4, 0]);
});

test('the profile of 2,000 tenants: only the first page counts them', async () => {
  const busy = { applicationId: 'app1', email: 'busy.accountant@example.com' };
  await send('ensureUser', user(busy.email));
  const { prefix: _, ...tenant } = await ledger.createTenant('Profile of Many');
  const items = Array.from({ length: 2_000 }, (__, index) => {
    const schemaName = `company_${10_000 + index}_k7m2xq`;
    const prefix = schemaName.replaceAll('_', '-');
    return [
      { ...tenantLinkKey(busy, schemaName), schemaName },
      { ...tenant, ...tenantKey({ ...busy, schemaName }), schemaName, prefix },
    ];
  });
  await ledger.seed(...items.flat());
  let cursor: string | undefined;
  const nextPage = async () => {
    cursor = (await send('getProfile', { email: busy.email, cursor })).next_cursor;
  };
  for (const read of [154, 104]) {
    expect(await costOf(nextPage)).toMatchObject({ sequentialCalls: 2, units: { read, write: 0 } });
  }
});

test('links', async () => {
  const { user_id } = await send('ensureUser', user('linked@example.com'));
  const { domain_url } = await newTenant('Linked');
  await expectCosts(
    ['link', { user_id, domain_url }, 2, `${batch} ${write}`, 3, 8],
    ['unlink', { user_id, domain_url }, 2, `${batch} ${write}`, 3, 6],
  );
});

test('a pending connection and its confirmation', async () => {
  const owner = { applicationId: 'app1', email: 'pending@example.com' };
  const { user_id } = await send('ensureUser', user(owner.email));
  const { sealing, table } = ledger;
  const recorder = openConnectionRecorder(table, { sealing, newSuffix });
  const pending = { owner, request: connectionOf('to-be-confirmed'), code: 'code' };
  expect(await costOf(() => recorder.record({ ...pending, now: new Date(now) }))).toEqual({
    sequentialCalls: 2,
    operations: [get, write],
    units: { read: 1, write: 8 },
  });
  const { tenants } = await send('getProfile', { email: owner.email });
  const domain_url = tenants[0].tenant_domain_url;
  const confirmation = { domain_url, user_id, confirmation_code: 'code' };
  await expectCosts(
    ['confirm', confirmation, 3, `${batch} ${write} ${get}`, 3, 29],
    ['confirm', confirmation, 2, `${batch} ${get}`, 3, 0],
  );
});

test('imports', async () => {
  await send('ensureUser', user('ada@example.com'));
  const owner = { applicationId: 'app1', email: 'ada@example.com' };
  const { name, domain_url } = await ledger.connectTenant(owner, connectionOf('one'));
  const tenant = { domain_url };
  await expectCosts(['getImport', tenant, 1, batch, 2, 0]);
  await expectCosts(['getBalances', tenant, 1, batch, 3, 0]);
  await openImports(ledger.table).finish(name, {
    importId: 'import-1',
    finishedAt: '2026-03-24T11:59:00.000Z',
    reason: null,
    tenantStatus: 'active',
  });
  await expectCosts(
    ['requestImport', tenant, 4, `${batch} ${get} ${write} ${batch}`, 5, 7],
    ['requestImport', tenant, 3, `${batch} ${get} ${batch}`, 5, 0],
  );
});

test('events', async () => {
  await expectCosts(['listEvents', {}, 3, 'Query Query Query', 3, 0]);
  const at = '2026-03-24T11:00:00.000Z';
  const event = { id: 'evt_1', type: 'tenant.updated', at, data: { tenant_domain_url: 'x' } };
  const pages = Array.from({ length: 50 }, (_, index) => ({
    ...feedPageKey('app1', 1 + index * 20),
    first: 1 + index * 20,
    recordedAt: at,
    through: {},
    events: Array.from({ length: 20 }, () => event),
  }));
  await ledger.seed(...pages);
  await expectCosts(
    ['listEvents', { after: '1000' }, 2, 'Query Query Query', 3, 0],
    ['listEvents', { after: '500' }, 2, 'Query Query Query', 4, 0],
    ['listEvents', { after: '0', types: 'tenant.locked', limit: '1' }, 2, 'Query Query', 23, 0],
  );
});

test('accounts', async () => {
  const { domain_url } = await newTenant('Charted');
  const account = { domain_url, code: '1015', name: 'Dollars', type: 'asset' };
  const renamed = { domain_url, code: '1015', name: 'Renamed' };
  await expectCosts(
    ['listAccounts', { domain_url }, 1, `${batch} Query`, 4, 0],
    // The second query of a filtered list reads four times as much.
    ['listAccounts', { domain_url, type: 'expense' }, 2, `${batch} Query Query`, 5, 0],
    ['listAccounts', { domain_url, code: '1010' }, 1, batch, 2, 0],
    ['listChanges', { domain_url, kind: 'settings' }, 1, `${batch} Query`, 4, 0],
    ['listChanges', { domain_url, kind: 'entries' }, 1, `${batch} Query`, 2, 0],
    ['createAccount', account, 2, `${batch} ${write}`, 3, 6],
    ['createAccount', account, 1, batch, 3, 0],
    ['updateAccount', renamed, 2, `${batch} ${write}`, 3, 6],
    ['updateAccount', renamed, 1, batch, 3, 0],
  );
});

test('tenants', async () => {
  const { user_id } = await send('ensureUser', user('owner@example.com'));
  const company = { platform: 'manual', company_name: 'Two Calls', currency: 'EUR' };
  const manual = { user_id, cash_flow_method: 'indirect', ...company };
  const { domain_url } = await newTenant('Updated');
  const [renamed, locked] = [{ company_name: 'Renamed' }, { lock_date: '2026-02-28' }];
  await expectCosts(
    ['listTenants', { limit: '2' }, 2, `Query ${batch}`, 3, 0],
    ['createTenant', manual, 2, `${batch} ${write}`, 1, 175],
    ['getTenant', { domain_url }, 1, get, 1, 0],
    ['updateTenant', { domain_url, ...renamed }, 2, `${batch} ${write}`, 2, 6],
    ['updateTenant', { domain_url, ...renamed }, 1, batch, 2, 0],
    // A lock that moves forward looks for scheduled entries.
    ['updateTenant', { domain_url, ...locked }, 3, `${batch} Query ${write}`, 3, 6],
    ['updateTenant', { domain_url, ...locked }, 1, batch, 2, 0],
    ['updateTenant', { domain_url, lock_date: '2026-01-31' }, 2, `${batch} ${write}`, 2, 6],
  );
});

test('reversals and cancellations', async () => {
  const { domain_url } = await newTenant('Corrections');
  const date = '2026-03-24';
  const accrual_date = '2026-04-30';
  const create = async (changes: object = {}) =>
    (await send('createEntry', { domain_url, ...euroEntry(), ...changes })).journal_entry_id;
  const plain = { domain_url, date, journal_entry_id: await create() };
  await create({ external_id: 'invoice-1' });
  const byName = { domain_url, date, original_external_id: 'invoice-1' };
  const long = { domain_url, date, journal_entry_id: await create({ entries: linesOf(150) }) };
  const scheduled = { domain_url, journal_entry_id: await create({ accrual_date }) };
  await expectCosts(
    ['reverseEntry', plain, 2, `${batch} ${write}`, 3, 6],
    ['reverseEntry', plain, 2, `${batch} Query`, 4, 0],
    ['reverseEntry', byName, 3, `${batch} Query ${write}`, 4, 6],
    ['cancelEntry', scheduled, 2, `${batch} ${write}`, 2, 6],
    ['cancelEntry', scheduled, 1, batch, 2, 0],
  );
  // After the snapshot: the tenant, its sheets, and the rate.
  const dollars = { transactionCurrency: 'USD', exchange_rate: '0.9' };
  await send('createEntry', { domain_url, ...euroEntry(), ...dollars });
  const revaluation = { domain_url, as_of: date, external_id: 'march' };
  await expectCosts(
    ['getRevaluation', { domain_url, as_of: date }, 3, `${batch} Query Query Query Query`, 11, 0],
    ['postRevaluation', revaluation, 5, `${batch} ${batch} Query Query Query ${write}`, 10, 6],
    ['postRevaluation', revaluation, 2, `${batch} Query`, 4, 0],
  );
  const { operations } = await costOf(() => send('reverseEntry', long));
  expect(operations).toEqual([batch, 'Query', write]);
  const original = { domain_url, date, journal_entry_id: await create() };
  const { journal_entry_id } = await send('reverseEntry', { ...original, accrual_date });
  await expectCosts([
    'cancelEntry',
    { domain_url, journal_entry_id },
    2,
    `${batch} ${write}`,
    2,
    8,
  ]);
});

test('reading entries', async () => {
  const { domain_url } = await newTenant('Reading');
  const post = (changes: object) => send('createEntry', { domain_url, ...euroEntry(), ...changes });
  await post({ transactionCurrency: 'USD', external_id: 'once' });
  await post({ entries: linesOf(150), external_id: 'long' });
  for (let entry = 0; entry < 60; entry += 1) {
    const consulting = { memo: `Consulting of day ${entry}`, transactionCurrency: 'USD' };
    await post({ ...consulting, date: '2026-03-22', external_id: `invoice-${entry}` });
    await post({ ...consulting, date: '2026-03-21', accrual_date: '2026-04-30' });
  }
  await send('updateTenant', { domain_url, indexed_metadata: ['order'] });
  const { call: sendLater } = callsOf(openInstance({ table: ledger.table, clock: () => later }));
  for (let entry = 0; entry < 30; entry += 1) {
    const ofOrder = { ...euroEntry(), metadata: { order: '4711' }, date: '2026-03-20' };
    await sendLater('createEntry', { domain_url, ...ofOrder });
  }
  const [first, long] = ['MJ-20260323-0001', 'MJ-20260323-0002'];
  const indexed = { domain_url, recorded_from: '2026-03-24T12:00:40Z' };
  const ofOrder = { ...indexed, metadata_key: 'order', metadata_value: '4711' };
  const since = { domain_url, recorded_from: '2026-03-25T00:00:00Z' };
  const before = { domain_url, to: '2026-03-22' };
  const scheduled = { domain_url, status: 'scheduled', order: 'asc' };
  await expectCosts(
    ['getEntry', { domain_url, journal_number: first }, 1, batch, 2, 0],
    ['getEntry', { domain_url, external_id: 'once' }, 2, `${batch} Query`, 3, 0],
    ['getEntry', { domain_url, journal_number: long }, 2, `${batch} Query`, 10, 0],
    ['listEntries', before, 1, `${batch} Query`, 12, 0],
    ['listEntries', { ...before, account: '1010' }, 3, `${batch} Query Query`, 14, 0],
    ['listEntries', since, 2, `${batch} Query Query`, 3, 0],
    ['listEntries', ofOrder, 2, `${batch} Query ${batch}`, 27, 0],
    ['listEntries', scheduled, 2, `${batch} Query ${batch}`, 27, 0],
    ['listEntries', { domain_url }, 2, `${batch} Query Query`, 18, 0],
    ['listEntries', { domain_url, to: '2025-12-31' }, 1, `${batch} Query`, 2, 0],
  );
});

test('reports, whose costs grow with days and accounts, not with entries', async () => {
  const { domain_url, name } = await newTenant('Balanced');
  const rows = ledger.chartCodes.map((code) => `${code}\t\t1.25\t1.25\t`).join('\n');
  const sheets = Array.from({ length: 40 }, (_, day) => ({
    ...sheetKey(name, { series: 'MJ', date: addDays('2026-01-01', day) }),
    lastSequence: 1,
    revision: 1,
    counted: 1,
    head: noHash,
    rows,
  }));
  await ledger.seed(...sheets);
  const inTwoSteps = [2, `${batch} Query Query`, 19, 0] as const;
  await expectCosts(
    // The first report of a process reads the chart.
    ['getTrialBalance', { domain_url }, 2, `${batch} Query Query Query`, 23, 0],
    ['getTrialBalance', { domain_url }, ...inTwoSteps],
    ['getBalanceSheet', { domain_url }, ...inTwoSteps],
    ['getProfitAndLoss', { domain_url }, ...inTwoSteps],
    ['getCashFlow', { domain_url }, ...inTwoSteps],
    // A single account does not need the chart.
    ['getTrialBalance', { domain_url, account: '1010' }, 2, `${batch} Query Query`, 19, 0],
  );
});

test('the ledger of an account', async () => {
  const { domain_url } = await newTenant('Ledgers');
  for (const date of ['2026-03-20', '2026-03-21', '2026-03-22']) {
    for (const accrual_date of [null, '2026-03-23']) {
      await send('createEntry', { domain_url, ...euroEntry(), date, accrual_date });
    }
  }
  const query = { domain_url, account: '1010', from: '2026-03-01', to: '2026-03-22' };
  const accruals = { ...query, from: '2026-03-23', to: '2026-03-23' };
  await expectCosts(
    ['getAccountLedger', query, 3, `${batch} Query Query Query Query Query Query`, 10, 0],
    ['getAccountLedger', accruals, 5, `${batch} Query Query Query Query Query ${batch}`, 12, 0],
  );
});
