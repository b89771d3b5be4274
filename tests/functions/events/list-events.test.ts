// The feed of events from the table's real stream: what each change records, and how it is read.

import { describe, expect, test } from 'vitest';
import { noComparison } from '#shared/balances/coverage.ts';
import { openPlatformBalances } from '#shared/balances/platform-balances.store.ts';
import { openConnections } from '#shared/connections/connections.store.ts';
import { eventTypes } from '#shared/events/event-types.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import { connectTenant } from '../../support/builders/platforms/platform-charts.ts';
import { ada, euroEntry, manualTenant } from '../../support/builders/requests.ts';
import { connectionOf } from '../../support/builders/tenants.ts';
import { openTableStream } from '../../support/dynamodb/table-stream.ts';
import { apiEvent, lambdaContext, readResult } from '../../support/events/lambda-events.ts';
import { changeEvent } from '../../support/events/stream-events.ts';
import { callsOf, openTenantCalls } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';
import { problemsOf } from '../../support/readers/replies.ts';

const { ledger, domain_url, name, send, call, postDue, time, metrics } = await openTenantCalls();
const stream = await openTableStream(ledger);
const instance = openInstance({ table: ledger.table, clock: () => new Date(time.now), metrics });

/** Records what has happened since, and returns the new events. */
const record = async (): Promise<
  { sequence: number; type: string; data: Record<string, unknown> }[]
> => {
  const { latest_sequence: after } = await call('listEvents', {
    domain_url: undefined,
    after: '0',
    limit: '1',
  });
  const event = await stream.read();
  // The second delivery records nothing.
  for (let times = 0; times < 2; times += 1) {
    expect(await instance.recordEvents(event, lambdaContext())).toEqual({ batchItemFailures: [] });
  }
  const page = { domain_url: undefined, after: String(after), limit: '200' };
  return (await call('listEvents', page)).events;
};

const withoutTenant = (events: Awaited<ReturnType<typeof record>>) =>
  events.map(({ type, data: { tenant_domain_url: _, ...data } }) => [type, data]);

const entryData = (
  { journal_entry_id, journal_number, posting_date, external_id }: Record<string, unknown>,
  status: string,
) => ({ journal_entry_id, journal_number, posting_date, status, external_id });

describe('what is recorded', () => {
  test('a new tenant with its chart is one event', async () => {
    await ledger.createTenant('Another');
    const events = await record();
    expect(events).toEqual([
      {
        sequence: 1,
        event_id: expect.stringMatching(/^evt_[\w-]{22}$/),
        type: 'tenant.created',
        occurred_at: expect.stringMatching(/^\d{4}-.*Z$/),
        data: { tenant_domain_url: domain_url },
      },
      expect.objectContaining({ sequence: 2, type: 'tenant.created' }),
    ]);
  });

  test('a tenant of a platform that is not connected has no connection', async () => {
    const user = { ...ada, domain_url: undefined };
    const { user_id } = await call('ensureUser', user);
    const body = { ...manualTenant, user_id, platform: 'platform_c', domain_url: undefined };
    await call('createTenant', body);
    expect(withoutTenant(await record())).toEqual([['tenant.created', {}]]);
  });

  test('an entry is posted, reversed, and no reversal twice', async () => {
    const entry = await call('createEntry', { ...euroEntry(), external_id: 'invoice-1' });
    const reversal = await call('reverseEntry', {
      journal_entry_id: entry.journal_entry_id,
      date: '2026-03-24',
    });
    const reversed_by = reversal.journal_entry_id;
    const events = await record();
    expect(new Set(withoutTenant(events))).toEqual(
      new Set([
        ['journal_entry.posted', entryData(entry, 'posted')],
        ['journal_entry.posted', entryData(reversal, 'posted')],
        ['journal_entry.reversed', { ...entryData(entry, 'posted'), reversed_by }],
      ]),
    );
    expect(events[0]).toMatchObject({
      type: 'journal_entry.posted',
      occurred_at: time.now,
      data: { tenant_domain_url: domain_url },
    });
  });

  test('an entry with an early date is found by its event, and by recorded_from', async () => {
    const { now } = time;
    await call('createEntry', euroEntry());
    const [{ sequence: after } = expect.fail()] = await record();
    time.now = '2026-03-24T12:00:01.000Z';
    const late = await call('createEntry', { ...euroEntry(), date: '2026-02-27' });
    await record();
    const named = { journal_entry_id: late.journal_entry_id };
    const page = await call('listEvents', { domain_url: undefined, after: String(after) });
    expect(page.events).toMatchObject([{ data: { ...named, posting_date: '2026-02-27' } }]);
    const recorded = await call('listEntries', { recorded_from: time.now });
    expect(recorded.journal_entries).toMatchObject([named]);
    time.now = now;
  });

  test('an entry is scheduled, and posted when it is due', async () => {
    const entry = await call('createEntry', { ...euroEntry(), accrual_date: '2026-03-31' });
    await postDue('2026-03-31');
    expect(withoutTenant(await record())).toEqual([
      ['journal_entry.scheduled', entryData(entry, 'scheduled')],
      ['journal_entry.posted', entryData(entry, 'posted')],
    ]);
  });

  test('an entry is cancelled', async () => {
    const entry = await call('createEntry', { ...euroEntry(), accrual_date: '2026-04-30' });
    await call('cancelEntry', { journal_entry_id: entry.journal_entry_id });
    expect(withoutTenant(await record())).toEqual([
      ['journal_entry.scheduled', entryData(entry, 'scheduled')],
      ['journal_entry.cancelled', entryData(entry, 'cancelled')],
    ]);
  });

  test('an accrual whose reversal is cancelled and repeated is posted once', async () => {
    const entry = await call('createEntry', { ...euroEntry(), accrual_date: '2026-03-25' });
    await postDue('2026-03-25');
    const reverse = () =>
      call('reverseEntry', {
        journal_entry_id: entry.journal_entry_id,
        date: '2026-03-24',
        accrual_date: '2026-05-31',
      });
    const first = await reverse();
    await call('cancelEntry', { journal_entry_id: first.journal_entry_id });
    await reverse();
    const ofEntry = (await record()).filter(
      ({ data }) => data.journal_entry_id === entry.journal_entry_id,
    );
    expect(ofEntry.map(({ type }) => type)).toEqual([
      'journal_entry.scheduled',
      'journal_entry.posted',
      'journal_entry.reversed',
      'journal_entry.reversed',
    ]);
  });

  test('accounts and settings change', async () => {
    await call('createAccount', { code: '1015', name: 'Dollars', type: 'asset' });
    await call('updateAccount', { code: '1015', name: 'US dollars' });
    await call('updateTenant', { company_name: 'Acme Limited' });
    await call('updateTenant', { company_name: 'Acme Limited' });
    await call('updateTenant', { lock_date: '2026-01-31' });
    await call('updateTenant', { lock_date: '2026-02-28', company_name: 'Acme' });
    expect(withoutTenant(await record())).toEqual([
      ['account.created', { code: '1015' }],
      ['account.updated', { code: '1015' }],
      ['tenant.updated', {}],
      ['tenant.locked', { lock_date: '2026-01-31' }],
      ['tenant.locked', { lock_date: '2026-02-28' }],
      ['tenant.updated', {}],
    ]);
  });

  test('a user changes, and is erased', async () => {
    const user = { ...ada, email: 'leaver@example.com', domain_url: undefined };
    const { user_id } = await call('ensureUser', user);
    const change = { domain_url: undefined, user_id, last_name: 'Byron' };
    await call('updateUser', change);
    await call('updateUser', change);
    await call('updateUser', { ...change, email: 'left@example.com' });
    await call('eraseUser', { domain_url: undefined, user_id });
    await call('eraseUser', { domain_url: undefined, user_id });
    const events = await record();
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['user.updated', { user_id }],
      ['user.updated', { user_id }],
      ['user.erased', { user_id }],
    ]);
  });

  test('an import is one event, and repeats none of the accounts it changes', async () => {
    const connected = await connectTenant(ledger, 'recorded');
    const { accounts, loan } = connected;
    const account = { domain_url: connected.domain_url, code: '900' };
    await call('updateAccount', { ...account, subtype: 'debt' });
    await accounts.record(connected.name, [{ ...loan, name: 'Renamed on the platform' }]);
    const imports = openImports(ledger.table);
    const end = { importId: 'import-1', finishedAt: '2026-03-24T11:59:00.000Z' };
    await imports.finish(connected.name, { ...end, reason: null, tenantStatus: 'active' });
    const counts = {
      accounts_imported: 0,
      journals_imported: 0,
      journals_revised: 0,
      journals_voided: 0,
      accounts_refused: 0,
      journals_refused: 0,
    };
    expect(withoutTenant(await record())).toEqual([
      ['tenant.created', {}],
      ['connection.established', { platform: 'platform_a' }],
      ['account.updated', { code: '900' }],
      ['import.completed', { import_id: 'import-1', reason: null, ...counts }],
    ]);
    const connections = openConnections(ledger.table, ledger.sealing);
    const { version = 0 } = (await connections.find(connected.name)) ?? {};
    await connections.giveUp(connected.name, { version, reason: 'credentials_refused' });
    const owner = { applicationId: 'app1', email: 'ada@example.com' };
    await ledger.connectTenant(owner, connectionOf('recorded'));
    await imports.finish(connected.name, {
      ...end,
      reason: 'disconnected_by_application',
      tenantStatus: 'disconnected',
    });
    const platform = { platform: 'platform_a' };
    const [lost, again, ...ended] = withoutTenant(await record());
    expect([lost, again]).toEqual([
      ['connection.needs_consent', platform],
      ['connection.established', platform],
    ]);
    const reason = 'disconnected_by_application';
    // One transaction writes both, and DynamoDB does not order the changes of a transaction.
    expect(new Set(ended)).toEqual(
      new Set([
        ['connection.ended', platform],
        ['import.failed', { import_id: 'import-1', reason, ...counts }],
      ]),
    );
  });

  test('a check of balances is an event, unless there were no reports', async () => {
    const { name: connected } = await connectTenant(ledger, 'checked');
    await record();
    const balances = openPlatformBalances(ledger.table);
    const days = [
      { date: '2026-02-28', reason: 'period_locked' },
      { date: '2026-03-23', reason: null },
    ];
    const check = { ...noComparison, lastDay: '2026-03-23', days };
    await balances.saveComparison(connected, check);
    await balances.saveComparison(connected, { ...check, days: days.slice(1) });
    await balances.saveComparison(connected, { ...check, reason: 'reports_not_permitted' });
    expect(withoutTenant(await record())).toEqual([
      ['balances.checked', { as_of: '2026-03-23', agrees: false }],
      ['balances.checked', { as_of: '2026-03-23', agrees: true }],
    ]);
  });

  test('a change that cannot be read is counted, and those after it are recorded', async () => {
    const { journal_number } = await call('createEntry', euroEntry());
    const { Records } = await stream.read();
    const unreadable = changeEvent([
      { item: { pk: `APP#${name.applicationId}#TENANT#x`, sk: 'ENTRY#x', kind: 'entry' } },
      { item: { pk: 'RATES', sk: 'x', events: 'account.created' } },
    ]);
    const event = { Records: [...unreadable.Records, ...Records] };
    const before = metrics.events.length;
    expect(await instance.recordEvents(event, lambdaContext())).toEqual({ batchItemFailures: [] });
    expect(metrics.events.slice(before)).toEqual([
      ['eventsNotRecorded'],
      ['eventsNotRecorded'],
      expect.arrayContaining(['ended']),
    ]);
    const { events } = await call('listEvents', { types: 'journal_entry.posted', limit: '200' });
    expect(events.at(-1)).toMatchObject({ data: { journal_number } });
  });
});

describe('a page', () => {
  const list = async (query: object) => call('listEvents', { domain_url: undefined, ...query });
  const sequencesOf = ({ events }: { events: { sequence: number }[] }) =>
    events.map(({ sequence }) => sequence);

  test('continues after a sequence, to the end', async () => {
    const { latest_sequence: latest } = await list({});
    const seen: number[] = [];
    let page = await list({ limit: '3' });
    for (; page.has_more; page = await list({ limit: '3', after: String(page.next_after) })) {
      seen.push(...sequencesOf(page));
      expect(page).toMatchObject({ next_after: seen.at(-1), latest_sequence: latest });
    }
    seen.push(...sequencesOf(page));
    expect(seen).toEqual(Array.from({ length: latest }, (_, index) => index + 1));
    const end = { events: [], next_after: latest, has_more: false, latest_sequence: latest };
    expect(await list({ after: String(latest) })).toEqual(end);
  });

  test('has the events of the requested types and tenant, and says how far it looked', async () => {
    const { latest_sequence: latest } = await list({});
    const ofTypes = await list({ types: 'tenant.locked,account.created', limit: '200' });
    const locked = ofTypes.events.map(({ type }: { type: string }) => type);
    expect(new Set(locked)).toEqual(new Set(['tenant.locked', 'account.created']));
    expect(ofTypes).toMatchObject({ next_after: latest, has_more: false });
    const [first] = sequencesOf(ofTypes);
    const short = await list({ types: 'tenant.locked,account.created', limit: '1' });
    expect(short).toMatchObject({ next_after: first, has_more: true });
    const ofTenant = await list({ domain_url, limit: '200' });
    const tenants = ofTenant.events.map(
      ({ data }: { data: { tenant_domain_url: string } }) => data.tenant_domain_url,
    );
    expect(new Set(tenants)).toEqual(new Set([domain_url]));
  });

  test('of an application without events is empty, and has nothing of others', async () => {
    const { call: callOther } = callsOf(instance, { applicationId: 'app2' });
    const empty = { events: [], next_after: 0, has_more: false, latest_sequence: 0 };
    expect(await callOther('listEvents', {})).toEqual(empty);
  });

  test.each([
    ['an unknown type', { types: 'tenant.locked,x' }, '/types', 'event_type_unknown'],
    ['a negative sequence', { after: '-1' }, '/after', 'out_of_range'],
    [
      'a sequence that the feed has not reached',
      { after: '999' },
      '/after',
      'sequence_not_reached',
    ],
    ['too many events', { limit: '201' }, '/limit', 'out_of_range'],
  ])('is refused with %s', async (_, query, pointer, code) => {
    const reply = await send('listEvents', { domain_url: undefined, ...query });
    expect([reply.status, problemsOf(reply)]).toEqual([422, [`${code} ${pointer}`]]);
  });

  test('names the known types, and the last sequence', async () => {
    const refused = await send('listEvents', { types: 'x' });
    const { known } = refused.body.error.details[0].params;
    expect(known.split(', ')).toEqual(eventTypes);
    const beyond = await send('listEvents', { after: '999' });
    const { latest_sequence } = beyond.body.error.details[0].params;
    expect(latest_sequence).toBe((await list({})).latest_sequence);
  });

  test("is refused for another application's tenant", async () => {
    const { send: sendOther } = callsOf(instance, { applicationId: 'app2' });
    expect((await sendOther('listEvents', { domain_url })).body.error.code).toBe(
      'tenant_not_found',
    );
  });

  test('can be read with a read-only key', async () => {
    const event = apiEvent({
      applicationId: 'app1',
      method: 'GET',
      query: { limit: '1' },
      caller: { access: 'read_only' },
    });
    expect(readResult(await instance.listEvents(event, lambdaContext())).status).toBe(200);
  });

  test('is refused after 90 days, with the first event that can be read', async () => {
    const { now } = time;
    const { latest_sequence: latest } = await list({});
    time.now = '2026-06-21T12:00:00.000Z';
    await call('createEntry', euroEntry());
    await record();
    time.now = '2026-06-22T12:00:01.000Z';
    const { status, body } = await send('listEvents', { domain_url: undefined });
    expect([status, body.error.code]).toEqual([410, 'events_expired']);
    expect(body.error.details[0].params).toEqual({ first_sequence: latest + 1 });
    expect(sequencesOf(await list({ after: String(latest) }))).toEqual([latest + 1]);
    time.now = now;
  });
});
