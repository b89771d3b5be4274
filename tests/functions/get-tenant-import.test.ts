// get-tenant-import and request-import.

import { beforeEach, describe, expect, test } from 'vitest';
import { type ImportCheckpoint, startOfImport } from '#shared/imports/import-checkpoint.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import type { TenantStatus } from '#shared/tenants/tenants.ts';
import { connectionOf, newSuffix, openTestTenants } from '../support/builders/tenants.ts';
import { callsOf } from '../support/harnesses/calls.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { success } from '../support/readers/replies.ts';

const database = await openTestTenants();
const { table, connections } = database;
const imports = openImports(table);
const ada = await database.newOwner('ada@example.com');

const requestedAt = '2026-03-23T09:30:00.000Z';
const now = new Date('2026-03-24T12:00:00.000Z');
let clock = now;
beforeEach(() => {
  clock = now;
});
const finishedAt = '2026-03-23T09:40:00.000Z';
const until = new Date('2026-03-23T10:30:00.000Z');
const leasedAt = new Date('2026-03-23T09:31:00.000Z');
const run = { importId: 'import-1', runId: 'run-1' };

const ids = { newImportId: () => 'import-2' };
const { send } = callsOf(openInstance({ table, ids, clock: () => clock }));

const connect = (changes: Parameters<typeof connectionOf>[1] = {}) =>
  database.connectTenant(ada, connectionOf(`acme-${newSuffix()}`, changes));
type Connected = Awaited<ReturnType<typeof connect>>;

const nothing = {
  accounts_imported: 0,
  journals_imported: 0,
  journals_revised: 0,
  journals_voided: 0,
  accounts_refused: 0,
  journals_refused: 0,
  refused_by_reason: {},
  refused: [],
  assumptions: [],
  assumption_count: 0,
  changes: [],
  change_count: 0,
};
const requestedImport = {
  import_id: 'import-1',
  kind: 'complete',
  state: 'requested',
  reason: null,
  modified_since: null,
  requested_at: requestedAt,
  progressed_at: requestedAt,
  finished_at: null,
  ...nothing,
};

const lease = ({ name }: Connected) =>
  imports.acquireLease(name, { ...run, now: leasedAt, runsWithoutProgress: 1 });
const finish =
  (reason: string | null, tenantStatus: TenantStatus) =>
  ({ name }: Connected) =>
    imports.finish(name, { importId: 'import-1', finishedAt, reason, tenantStatus });

describe('an import', () => {
  test('is shown as it was requested', async () => {
    const reconnectBy = '2031-03-22T09:30:00.000Z';
    const { reference, domain_url } = await connect({ reconnectBy });
    clock = new Date(requestedAt);
    const reply = success({
      ...reference,
      status: 'importing',
      status_reason: null,
      reconnect_by: reconnectBy,
      import: requestedImport,
      next: { action: 'continues', at: null, reason: null },
    });
    expect(await send('getImport', { domain_url })).toEqual(reply);
  });

  test('is shown with its report', async () => {
    const connected = await connect();
    await lease(connected);
    const refused = [
      { kind: 'journal', reference: '7', reason: 'record_not_understood', field: 'lines.0' },
    ] as const;
    const checkpoint: ImportCheckpoint = {
      ...startOfImport,
      stage: 'done',
      accountsImported: 30,
      journalsImported: 120,
      journalsRevised: 7,
      journalsVoided: 3,
      accountsRefused: 2,
      journalsRefused: 1,
      refused: [...refused],
      refusedByReason: { record_not_understood: 3 },
      assumptions: [
        { kind: 'account', reference: '8', assumption: 'account_type_assumed', field: 'type' },
      ],
      assumptionCount: 4,
      changes: [{ reference: '9', change: 'voided' }],
      changeCount: 5,
    };
    const asked = { ...run, checkpoint, now: until, renewsLease: false };
    expect(await imports.saveCheckpoint(connected.name, asked)).toBe(true);
    const { body } = await send('getImport', { domain_url: connected.domain_url });
    expect(body.data.import).toEqual({
      ...requestedImport,
      state: 'running',
      progressed_at: until.toISOString(),
      accounts_imported: 30,
      journals_imported: 120,
      journals_revised: 7,
      journals_voided: 3,
      accounts_refused: 2,
      journals_refused: 1,
      refused,
      refused_by_reason: { record_not_understood: 3 },
      assumptions: checkpoint.assumptions,
      assumption_count: 4,
      changes: checkpoint.changes,
      change_count: 5,
    });
  });
});

describe('what happens next', () => {
  type Step = (connected: Connected) => Promise<unknown>;
  const defer: Step = async (connected) => {
    await lease(connected);
    const why = { reason: 'rate_limited', runsWithoutProgress: 1 };
    return imports.defer(connected.name, { ...run, now: leasedAt, until, ...why });
  };
  const suspend: Step = ({ name }) =>
    imports.suspend(name, { importId: 'import-1', now: leasedAt });
  const nothingDone: Step = async () => {};

  /** Requested at 09:30, leased at 09:31, deferred until 10:30. */
  test.each<[string, Step, time: string, readonly (string | null)[]]>([
    ['was just requested', nothingDone, '09:30:59', ['continues', null, null]],
    ['has not started', nothingDone, '09:31:00', ['retries', '09:40:00', 'start_delayed']],
    [
      'has not started for ten minutes',
      nothingDone,
      '09:40:00',
      ['retries', '09:41:00', 'start_delayed'],
    ],
    [
      'has not started for hours',
      nothingDone,
      '12:00:30',
      ['retries', '12:01:00', 'start_delayed'],
    ],
    [
      'was requested by a clock that is ahead',
      nothingDone,
      '08:00:00',
      [...['retries', '08:01:00', 'start_delayed']],
    ],
    ['runs', lease, '09:31:59', ['continues', null, null]],
    ['has stopped', lease, '09:32:00', ['retries', '09:33:00', 'run_stopped']],
    ['stopped long ago', lease, '09:45:17', ['retries', '09:46:00', 'run_stopped']],
    ['is leased by a clock slightly ahead', lease, '09:30:00', ['continues', null, null]],
    ['is leased by a clock ahead', lease, '09:29:59', ['retries', '09:30:59', 'run_stopped']],
    ['waits for its platform', defer, '09:31:30', ['retries', '10:30:00', 'rate_limited']],
    ['waited for its platform', defer, '10:30:10', ['retries', '10:31:00', 'rate_limited']],
    ['waits by a clock ahead', defer, '09:00:00', ['retries', '09:01:00', 'rate_limited']],
    [
      'waits for its application',
      suspend,
      '09:31:20',
      [...['retries', '09:32:00', 'application_suspended']],
    ],
  ])('for an import that %s, at %s', async (_, step, time, [action, at, reason]) => {
    const connected = await connect();
    await step(connected);
    clock = new Date(`2026-03-23T${time}.000Z`);
    const { body } = await send('getImport', { domain_url: connected.domain_url });
    const moment = at && `2026-03-23T${at}.000Z`;
    expect(body.data.next).toEqual({ action, at: moment, reason });
  });

  const giveUp: Step = ({ name }) =>
    connections.giveUp(name, { version: 1, reason: 'credentials_refused' });
  const askOperator = ['import_failed', 'failed', 'ask_operator', null] as const;
  const requestImport = ['import_failed', 'failed', 'request_import', null] as const;

  test.each<[string, Step, readonly (string | null)[]]>([
    ['is complete', finish(null, 'active'), ['active', 'complete', 'none', null]],
    [
      'is complete except for refused records',
      finish('records_refused', 'active'),
      ['active', 'complete', 'request_import', null],
    ],
    ['was rate limited for days', finish('rate_limited', 'import_failed'), requestImport],
    ['met an outage', finish('platform_unavailable', 'import_failed'), requestImport],
    ['was not answered', finish('platform_timed_out', 'import_failed'), requestImport],
    ['has a lapsed subscription', finish('subscription_lapsed', 'import_failed'), requestImport],
    [
      'is of an unknown company',
      finish('company_not_found', 'import_failed'),
      ['import_failed', 'failed', 'connect_again', null],
    ],
    ['met an error of ours', finish('internal_error', 'import_failed'), askOperator],
    ['ended for an unknown reason', finish('never_heard_of', 'import_failed'), askOperator],
    ['is disconnected', giveUp, ['disconnected', 'requested', 'connect_again', null]],
  ])('for an import that %s', async (_, step, [status, state, action, at]) => {
    const connected = await connect();
    await step(connected);
    const { body } = await send('getImport', { domain_url: connected.domain_url });
    expect(body.data).toMatchObject({
      status,
      import: { state },
      next: { action, at, reason: null },
    });
  });
});

describe('a manual tenant', () => {
  test('has no import, and none can be requested', async () => {
    const { prefix } = await database.createTenant(ada, 'by hand');
    const { body } = await send('getImport', { domain_url: prefix });
    expect(body.data).toMatchObject({
      platform: 'manual',
      status: 'active',
      import: null,
      next: { action: 'none', at: null, reason: null },
    });
    const before = await database.scan();
    const refused = await send('requestImport', { domain_url: prefix });
    expect([refused.status, refused.body.error.code]).toEqual([422, 'tenant_not_connected']);
    expect(await database.scan()).toEqual(before);
  });
});

describe('a requested import', () => {
  test('is shown, and is not requested twice', async () => {
    const connected = await connect();
    const { reference, domain_url } = connected;
    await finish(null, 'active')(connected);
    const reply = (requested: boolean) =>
      success({
        ...reference,
        status: 'importing',
        status_reason: null,
        reconnect_by: null,
        import: {
          ...requestedImport,
          import_id: 'import-2',
          kind: 'incremental',
          modified_since: '2026-03-23T08:30:00.000Z',
          requested_at: now.toISOString(),
          progressed_at: now.toISOString(),
        },
        next: { action: 'continues', at: null, reason: null },
        requested,
      });
    expect(await send('requestImport', { domain_url })).toEqual(reply(true));
    const before = await database.scan();
    expect(await send('requestImport', { domain_url })).toEqual(reply(false));
    expect(await database.scan()).toEqual(before);
  });

  test.each([
    ['a second', 1_000, false],
    ['59 seconds', 59_999, false],
    ['a minute', 60_000, true],
    ['a minute before, by a clock that jumped back', -60_000, true],
    ['a second before', -1_000, false],
  ])('can be repeated a minute after its end: %s', async (_, pause, requested) => {
    for (const end of [finish(null, 'active'), finish('rate_limited', 'import_failed')]) {
      const connected = await connect();
      await end(connected);
      clock = new Date(Date.parse(finishedAt) + pause);
      const { body } = await send('requestImport', { domain_url: connected.domain_url });
      const import_id = requested ? 'import-2' : 'import-1';
      expect(body.data).toMatchObject({ requested, import: { import_id } });
    }
  });

  const disconnect = finish('company_not_found', 'disconnected');
  const giveUp = async (connected: Connected) => {
    await finish('credentials_refused', 'import_failed')(connected);
    await connections.giveUp(connected.name, { version: 1, reason: 'credentials_refused' });
  };
  test.each([
    ['whose tokens were refused', disconnect],
    ['that was disconnected', giveUp],
  ])('is refused for a company %s', async (_, step) => {
    const connected = await connect();
    await step(connected);
    const refused = await send('requestImport', { domain_url: connected.domain_url });
    expect([refused.status, refused.body.error.code]).toEqual([422, 'tenant_not_connected']);
  });
});
