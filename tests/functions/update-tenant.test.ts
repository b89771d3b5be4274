// Changes of a tenant's settings, and its locked period with its history.

import { beforeEach, describe, expect, test } from 'vitest';
import { problem } from '#shared/errors.ts';
import { byKey } from '#shared/history/tenant-history.ts';
import { addDays } from '#shared/money/dates.ts';
import { type TenantName, tenantKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { lockProblems } from '#shared/tenants/period-lock.ts';
import { listLockChanges, openTenantSettings } from '#shared/tenants/tenant-settings.store.ts';
import type { Tenant } from '#shared/tenants/tenants.ts';
import { expectedEntry } from '../support/builders/journal-entry.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { connectTenant } from '../support/builders/platforms/platform-charts.ts';
import { recordEntry } from '../support/builders/recorded-entries.ts';
import { summaryOf } from '../support/builders/tenants.ts';
import type { ApiEventOptions } from '../support/events/lambda-events.ts';
import { callsOf } from '../support/harnesses/calls.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { dueEntriesOf, postEntries } from '../support/readers/due-entries.ts';
import { problemsOf, success } from '../support/readers/replies.ts';

const ledger = await openTestLedger();
const { table } = ledger;

let now = '';
const settings = openTenantSettings(table);
const day31 = '2026-03-31';
const locked = { lockDate: day31 };

const callsOn = (on: Table) => callsOf(openInstance({ table: on, clock: () => new Date(now) }));
const { insist, send } = callsOn(table);

let tenants = 0;
let domain_url = '';
let name: TenantName;
beforeEach(async () => {
  now = '2026-03-24T12:00:00.000Z';
  tenants += 1;
  const { prefix, ...tenant } = await ledger.createTenant(`Acme ${tenants}`);
  domain_url = prefix;
  name = { applicationId: tenant.applicationId, schemaName: tenant.schemaName };
});

const update = (change: object, caller: ApiEventOptions['caller'] = {}) =>
  send('updateTenant', { domain_url, ...change }, { caller });
const insistOn = (change: object) => insist('updateTenant', { domain_url, ...change });
const lock = async (lock_date: string) => (await update({ lock_date })).body.data;
const history = async () =>
  (await listLockChanges(table, name)).map(({ at, from, to, keyId }) => [at, from, to, keyId]);

const storedTenant = async () => (await settings.find(name))?.tenant as Tenant;

/** The tenant before its changes, as replies show it. */
const summary = () => ({
  ...summaryOf({ prefix: domain_url, ...name }, { company_name: `Acme ${tenants}` }),
  platform: 'manual',
  follow_platform_edits: null,
  cash_flow_method: 'indirect',
  status: 'active',
  created_at: '2026-03-23T09:00:00.000Z',
});

describe('a change', () => {
  test.each<[string, object]>([
    ['name', { company_name: 'Acme & Daughters' }],
    ['method of cash flows', { cash_flow_method: 'direct' }],
    ['layout of profit', { profit_layout: 'other_items_below' }],
    ['fiscal year', { financial_year_end: '06-30' }],
    ['fiscal year, to the last of February', { financial_year_end: '02-29' }],
    [
      'whole tenant',
      { company_name: 'A', cash_flow_method: 'direct', financial_year_end: '01-31' },
    ],
    ['name, beside nulls', { company_name: 'A' }],
  ])('of the %s leaves the rest', async (_title, change) => {
    const nulls = { lock_date: null, financial_year_end: null };
    const reply = await update({ ...nulls, ...change });
    expect(reply).toEqual(success({ ...summary(), ...change }));
    const before = await ledger.scan();
    expect(await update({})).toMatchObject({ status: 422 });
    expect(await update(change)).toEqual(reply);
    expect(await ledger.scan()).toEqual(before);
    expect(await history()).toEqual([]);
  });

  test('is kept beside concurrent changes of other fields', async () => {
    const changes = [
      ...[{ company_name: 'New' }, { cash_flow_method: 'direct' }],
      ...[{ financial_year_end: '09-30' }, { lock_date: '2026-02-28' }],
    ];
    await Promise.all(changes.map(insistOn));
    const { body } = await update({ company_name: 'New' });
    const locked_from = '2026-03-24T12:00:40.000Z';
    expect(body.data).toEqual(Object.assign(summary(), ...changes, { locked_from }));
  });
});

test('a connected tenant can stop to follow edits, which its history shows', async () => {
  const connected = await connectTenant(ledger, 'connected');
  const request = { domain_url: connected.domain_url, follow_platform_edits: false };
  const { body } = await send('updateTenant', request);
  expect(body.data).toMatchObject({ follow_platform_edits: false });
  const changes = await send('listChanges', { domain_url: connected.domain_url });
  expect(changes.body.data.changes[0]).toMatchObject({
    what: 'settings_updated',
    before: { follow_platform_edits: null },
    after: { follow_platform_edits: false },
  });
});

describe('a request is refused', () => {
  const allowed = [
    ...['lock_date', 'financial_year_end', 'cash_flow_method', 'profit_layout'],
    ...['company_name', 'entry_years_back', 'entry_years_ahead', 'indexed_metadata'],
    'follow_platform_edits',
  ];

  test('that changes nothing, and told what can be changed', async () => {
    const { body } = await update({ company_name: null });
    expect(body.error.details).toEqual([problem('nothing_to_change', '', { allowed })]);
  });

  test.each<[string, object, string[]]>([
    ['a blank name', { company_name: ' ' }, ['must_not_be_blank /company_name']],
    ['a long name', { company_name: 'x'.repeat(151) }, ['too_long /company_name']],
    ['another method', { cash_flow_method: 'both' }, ['not_an_allowed_value /cash_flow_method']],
    ...['02-30', '13-01', '1-31', '12-31-', '2026-12-31', ''].map(
      (financial_year_end): [string, object, string[]] => [
        `a fiscal year that ends on "${financial_year_end}"`,
        { financial_year_end },
        ['financial_year_end_not_valid /financial_year_end'],
      ],
    ),
    ['a lock on no date', { lock_date: '2026-02-29' }, ['date_not_valid /lock_date']],
    ['a lock on today', { lock_date: '2026-03-24' }, ['lock_date_not_past /lock_date']],
    ['a lock on a day to come', { lock_date: '2999-01-01' }, ['lock_date_not_past /lock_date']],
    [
      'edits at a platform that the tenant does not have',
      { follow_platform_edits: false },
      ['field_not_for_platform /follow_platform_edits'],
    ],
    ['another currency', { currency: 'USD' }, ['unknown_field /currency', 'nothing_to_change ']],
  ])('for %s', async (_title, change, problems) => {
    const before = await ledger.scan();
    const reply = await update(change);
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
    expect(await ledger.scan()).toEqual(before);
  });
});

describe('a lock', () => {
  const at = (time: string, day = '24') => `2026-03-${day}T${time}Z`;

  test('moves forward and back, and each move is recorded with its API key', async () => {
    expect(await lock('2026-01-31')).toMatchObject({
      lock_date: '2026-01-31',
      locked_from: at('12:00:40.000'),
    });
    now = at('13:00:00.000');
    expect(await lock('2026-03-23')).toMatchObject({
      lock_date: '2026-03-23',
      locked_from: at('13:00:40.000'),
    });
    now = at('14:00:00.000');
    expect((await update({ lock_date: '0001-01-01' }, { keyId: 'key-2' })).body.data).toMatchObject(
      { lock_date: '0001-01-01', locked_from: at('14:00:00.000') },
    );
    expect(await history()).toEqual([
      [at('14:00:00.000'), '2026-03-23', '0001-01-01', 'key-2'],
      [at('13:00:00.000'), '2026-01-31', '2026-03-23', 'app1-key'],
      [at('12:00:00.000'), null, '2026-01-31', 'app1-key'],
    ]);
  });

  test('that is repeated stays in force from its first time', async () => {
    await lock('2026-01-31');
    now = at('13:00:00.000');
    const { body } = await update({ lock_date: '2026-01-31', company_name: 'New' });
    const locked_from = at('12:00:40.000');
    expect(body.data).toMatchObject({ lock_date: '2026-01-31', locked_from, company_name: 'New' });
    expect(await history()).toHaveLength(1);
  });

  test('that moves back during its delay keeps its delay', async () => {
    await lock('2026-02-28');
    now = at('12:00:10.000');
    expect(await lock('2026-01-31')).toMatchObject({ locked_from: at('12:00:40.000') });
  });

  test('of many concurrent requests is the last one, and the history is a chain', async () => {
    const days = Array.from({ length: 8 }, (_, day) => addDays('2026-02-01', day));
    const replies = await Promise.all(days.map((lock_date) => insistOn({ lock_date })));
    expect(replies.map(({ status }) => status)).toEqual(days.map(() => 200));
    const changes = await history();
    const nextOf = new Map(changes.map(([, from, to]) => [from, to]));
    let last: unknown = null;
    for (const _ of changes) last = nextOf.get(String(last) === 'null' ? null : String(last));
    expect([changes.length, nextOf.size]).toEqual([8, 8]);
    expect(last).toBe((await storedTenant()).lockDate);
  });

  test('moves from where a concurrent request left it', async () => {
    await lock('2026-01-31');
    let isFirst = true;
    const overtaken = callsOn({
      ...table,
      tryTransact: async (transaction) => {
        if (isFirst) await lock('2026-02-28');
        isFirst = false;
        return table.tryTransact(transaction);
      },
    });
    const asked = { domain_url, lock_date: '2026-02-15' };
    const reply = await overtaken.send('updateTenant', asked);
    expect(reply.body.data).toMatchObject({ lock_date: '2026-02-15' });
    const moves = (await history()).map(([, from, to]) => [from, to]);
    expect(moves.map(String).sort()).toEqual(
      [
        [null, '2026-01-31'],
        ['2026-01-31', '2026-02-28'],
        ['2026-02-28', '2026-02-15'],
      ]
        .map(String)
        .sort(),
    );
  });

  test.each<[string, object]>([
    ['a lock', { lockDate: '2026-01-31', lockedFrom: '' }],
    ['a name', { companyName: 'New' }],
  ])('is not written without a tenant: %s', async (_title, changes) => {
    const tenant = await storedTenant();
    const nowhere = { ...name, schemaName: 'nowhere' };
    const state = await settings.opened(nowhere);
    const before = await ledger.scan();
    const by = { ...byKey('key'), at: now };
    expect(await settings.change(nowhere, { tenant, changes, state, by })).toBe(false);
    expect(await ledger.scan()).toEqual(before);
  });
});

describe('a lock of a period with scheduled entries', () => {
  const schedule = (postingDate: string, date = '2026-02-10') =>
    recordEntry(ledger.journalEntries, name, {
      ...expectedEntry,
      externalId: null,
      date,
      postingDate,
      accrualDate: postingDate,
      status: 'scheduled',
      postedAt: null,
    });

  test('is refused until they are posted, and names the first one', async () => {
    await schedule('2026-02-28');
    await schedule('2026-02-20', '2026-02-11');
    await schedule('2026-04-30');
    const reply = await update({ lock_date: '2026-02-28', company_name: 'New' });
    expect([reply.status, reply.body.error.code]).toEqual([409, 'scheduled_entries_due']);
    expect(reply.body.error.details).toEqual([
      problem('scheduled_entries_due', '/lock_date', {
        posting_date: '2026-02-20',
        journal_number: 'MJ-20260211-0001',
      }),
    ]);
    expect(await storedTenant()).toMatchObject({ companyName: `Acme ${tenants}` });
    expect((await update({ lock_date: '2026-02-19' })).status).toBe(200);
    const due = [];
    for await (const entry of dueEntriesOf(ledger.table, '2026-03-24')) {
      if (entry.pk === tenantKey(name).pk) due.push(entry);
    }
    await postEntries(ledger.table, due, now);
    expect((await update({ lock_date: '2026-02-28' })).status).toBe(200);
  });

  test('can be repeated and move back', async () => {
    await lock('2026-02-28');
    await schedule('2026-01-20', '2026-01-10');
    expect((await update({ lock_date: '2026-02-28' })).status).toBe(200);
    expect((await update({ lock_date: '2026-01-31' })).status).toBe(200);
  });
});

test.each<[string, Parameters<typeof lockProblems>, pointer?: string]>([
  ['contains its last day', [{ postingDate: day31, accrualDate: null }, locked], '/date'],
  [
    'contains an accrual date',
    [{ postingDate: day31, accrualDate: day31 }, locked, '/journal_entries/3'],
    '/journal_entries/3/accrual_date',
  ],
  ['ends before the next day', [{ postingDate: '2026-04-01', accrualDate: undefined }, locked]],
  ['does not exist without a lock', [{ postingDate: '0001-01-01', accrualDate: null }, {}]],
])('the locked period %s', (_title, parameters, pointer) => {
  const params = { posting_date: day31, lock_date: day31 };
  const problems = pointer === undefined ? [] : [problem('period_locked', pointer, params)];
  expect(lockProblems(...parameters)).toEqual(problems);
});
