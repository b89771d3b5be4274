import { beforeEach, describe, expect, test } from 'vitest';
import { byUser } from '#shared/history/tenant-history.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import {
  PlatformFailure,
  type PlatformFailureReason,
  withExpiry,
} from '#shared/platforms/platform.ts';
import { connectionOf, newSuffix, openTestTenants } from '../support/builders/tenants.ts';
import { callsOf } from '../support/harnesses/calls.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { changeActors } from '../support/readers/change-actors.ts';
import { success } from '../support/readers/replies.ts';
import { keepLog } from '../support/recorders/log.ts';
import { acme, openFakePlatform } from '../support/servers/fake-platform.ts';

const database = await openTestTenants();
const { table, tenants, connections, keys } = database;
const imports = openImports(table);
const ada = await database.newOwner('ada@example.com');
const now = new Date('2026-03-23T09:45:00.000Z');

let fake: ReturnType<typeof openFakePlatform>;
let log: ReturnType<typeof keepLog>;
beforeEach(() => {
  fake = openFakePlatform({ company: { ...acme, companyId: newSuffix() }, clock: () => now });
  log = keepLog();
});

const send = (body: object, changes: Partial<Parameters<typeof openInstance>[0]> = {}) => {
  const { platforms } = fake;
  const options = { table, keys, platforms, log, clock: () => now, ...changes };
  return callsOf(openInstance(options)).send('disconnect', body);
};

/** A tenant of platform_a that is importing, and its tokens. */
const connect = async () => {
  const granted = fake.issueTokens();
  const request = {
    ...connectionOf(fake.company.companyId),
    tokens: withExpiry(granted, now),
  };
  const { domain_url, ...tenant } = await database.connectTenant(ada, request);
  return { ...tenant, granted, asked: { domain_url } };
};

const reason = 'disconnected_by_application';

describe('a connected company', () => {
  test('is disconnected once: its access is returned and its import ends', async () => {
    const { name, granted, asked, reference } = await connect();
    const ended = { ...reference, status: 'disconnected', status_reason: reason };
    expect(await send(asked)).toEqual(success({ ...ended, access: 'given_back' }));
    expect(fake.isRefreshable(granted.refreshToken)).toBe(false);
    expect(await connections.find(name)).toBeUndefined();
    expect(await imports.find(name)).toMatchObject({
      status: 'failed',
      reason,
      finishedAt: now.toISOString(),
    });
    const before = await database.scan();
    expect(await send(asked)).toEqual(success({ ...ended, access: 'none_held' }));
    expect(await database.scan()).toEqual(before);
    expect(fake.calls).toEqual(['disconnect']);
    expect(JSON.stringify(log.lines)).not.toContain('secret-');
  });

  test('is disconnected even if its platform has ended the access', async () => {
    const { name, granted, asked } = await connect();
    fake.plan('disconnect', new PlatformFailure('credentials_refused'));
    fake.revokeGrant(granted.refreshToken);
    const { body } = await send(asked);
    expect(body.data).toMatchObject({ status: 'disconnected', access: 'had_ended' });
    expect(await connections.find(name)).toBeUndefined();
  });

  test.each<[PlatformFailureReason, number, number | undefined, string, string]>([
    ['platform_unavailable', 502, undefined, 'platform_failed', '60'],
    ['rate_limited', 502, 17, 'platform_failed', '17'],
    ['platform_timed_out', 504, undefined, 'platform_timed_out', '60'],
    ['subscription_lapsed', 502, undefined, 'platform_failed', '60'],
  ])('keeps its tokens after %s, until the request is repeated', async (...row) => {
    const [failure, status, retryAfterSeconds, code, wait] = row;
    const { name, granted, asked } = await connect();
    fake.plan('disconnect', new PlatformFailure(failure, { retryAfterSeconds }));
    const reply = await send(asked);
    expect([reply.status, reply.headers['Retry-After']]).toEqual([status, wait]);
    expect(reply.body.error).toMatchObject({ code, retryable: true });
    expect((await connections.find(name))?.tokens.refreshToken).toBe(granted.refreshToken);
    expect((await send(asked)).body.data).toMatchObject({ access: 'given_back' });
    expect(await connections.find(name)).toBeUndefined();
  });

  test('is retryable if its tokens are renewed at the same time', async () => {
    const { name, asked } = await connect();
    const renew = () => tenants.connect(ada, connectionOf(fake.company.companyId));
    fake.plan('disconnect', renew, renew);
    const reply = await send(asked);
    expect([reply.status, reply.headers['Retry-After']]).toEqual([503, '1']);
    expect(reply.body.error.code).toBe('contention');
    expect(await connections.find(name)).toBeDefined();
  });

  test('sends its tokens only to its own platform', async () => {
    const { name, asked } = await connect();
    const other = openFakePlatform({ adapter: 'zoho' });
    expect((await send(asked, { platforms: other.platforms })).status).toBe(500);
    expect(other.calls).toEqual([]);
    expect(await connections.find(name)).toBeDefined();
  });

  test('can be connected again', async () => {
    const { name, asked } = await connect();
    await send(asked);
    await tenants.connect(ada, connectionOf(fake.company.companyId));
    expect(await tenants.find(name)).toMatchObject({ status: 'importing', statusReason: null });
  });

  test('has a history that shows who disconnected it and who connected it again', async () => {
    const { name, asked } = await connect();
    fake.plan('disconnect', new PlatformFailure('platform_unavailable'));
    await send(asked);
    await send(asked);
    const again = { ...connectionOf(fake.company.companyId), by: byUser(ada.userId) };
    await tenants.connect(ada, again);
    expect(await changeActors(table, name)).toEqual([
      ['tenant_created', 'user', null, null],
      ['import_ended', 'api_key', 'app1-key', 'import-1'],
      ['company_disconnected', 'api_key', 'app1-key', null],
      ['company_connected', 'user', ada.userId, ada.userId],
    ]);
  });
});

test('a manual tenant does not change', async () => {
  const { prefix } = await database.createTenant(ada, 'by hand');
  const { body } = await send({ domain_url: prefix });
  expect(body.data).toMatchObject({
    platform: 'manual',
    status: 'active',
    status_reason: null,
    access: 'none_held',
  });
});
