import { beforeEach, describe, expect, test } from 'vitest';
import { openImports } from '#shared/imports/imports.store.ts';
import {
  type Platform,
  PlatformFailure,
  type PlatformFailureReason,
} from '#shared/platforms/platform.ts';
import { testSlots } from '../../support/builders/slots.ts';
import { readPage } from '../../support/events/url-events.ts';
import {
  callbackPath,
  goBack,
  newCompany,
  now,
  openCallbacks,
  redirectUri,
  redirectUrl,
} from '../../support/harnesses/callbacks.ts';
import { changeActors } from '../../support/readers/change-actors.ts';
import { costFields } from '../../support/recorders/log.ts';
import { openFakePlatform } from '../../support/servers/fake-platform.ts';

const callbacks = await openCallbacks();
const { database, tenants, connections, states, stateKeys, applications, ada } = callbacks;
const { world, begin, visit, visitWithCode, prefixOf, nameOf } = callbacks;

beforeEach(callbacks.beginTest);

const failedAt = (code: string) => `${redirectUrl}?status=error&error=${code}`;

describe('consent', () => {
  test('creates a tenant, requests its import and redirects; nothing secret remains', async () => {
    const [code, state] = [world.fake.issueCode(redirectUri), await begin()];
    const result = await visit({ code, state });
    const prefix = await prefixOf();
    expect(result).toEqual({
      statusCode: 303,
      headers: {
        Location: `https://app.example/done?status=success&domain_url=${prefix}`,
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
        'Strict-Transport-Security': 'max-age=63072000',
      },
    });
    const name = await nameOf();
    expect(await tenants.find(name)).toEqual({
      ...name,
      prefix,
      platform: 'platform_a',
      companyName: world.fake.company.name,
      currency: 'EUR',
      cashFlowMethod: 'direct',
      financialYearEnd: '06-30',
      status: 'importing',
      reconnectBy: null,
      createdAt: now.toISOString(),
    });
    expect(await connections.find(name)).toEqual({
      adapter: 'xero',
      companyId: world.fake.company.companyId,
      dataCenter: null,
      tokens: {
        accessToken: expect.stringMatching(/^secret-access-\d+$/),
        refreshToken: expect.stringMatching(/^secret-refresh-\d+$/),
        expiresAt: '2026-03-23T10:00:00.000Z',
      },
      version: 1,
    });
    expect(await openImports(database.table).find(name)).toMatchObject({
      importId: 'import-1',
      status: 'requested',
    });
    expect(await database.schemaNamesOf(ada)).toContain(name.schemaName);
    const line = {
      request_id: '8f6a1f0e-93c5-4f7f-8f0e-0123456789ab',
      route: `GET ${callbackPath}`,
      application_id: 'app1',
      tenant: await prefixOf(),
      outcome: 'success',
      status: 200,
      ...costFields(5),
    };
    expect(world.log.lines).toEqual([['callback', line]]);
    const kept = JSON.stringify([world.log.lines, await database.scan()]);
    expect(kept).not.toContain('secret-');
    expect(kept).not.toContain(state);
  });

  test("keeps the redirect_url's own query", async () => {
    const page = await visitWithCode({ redirectUrl: `${redirectUrl}?tenant=1&q=a%20b` });
    expect(page.location).toBe(
      `${redirectUrl}?tenant=1&q=a%20b&status=success&domain_url=${await prefixOf()}`,
    );
  });

  test('shows a plain page if there is no redirect_url', async () => {
    expect(await visitWithCode({ redirectUrl: null })).toEqual({
      status: 200,
      location: undefined,
      title: 'The company is connected',
      text: `It has the name ${await prefixOf()} here. ${goBack}`,
    });
  });

  test('to a connected company leads to its tenant, but not for another user', async () => {
    const { userId } = ada;
    const first = await visitWithCode({ userId });
    expect(await visitWithCode({ userId })).toEqual(first);
    const bob = await database.newOwner('bob@example.com');
    const page = await visitWithCode({ email: bob.email, cashFlowMethod: 'indirect' });
    expect(page.location).toBe(failedAt('company_connected_by_another_user'));
    expect(await visitWithCode({ email: bob.email, redirectUrl: null })).toMatchObject({
      status: 403,
      title: 'The company was not connected',
    });
    expect(await connections.find(await nameOf())).toMatchObject({ version: 2 });
    expect(await database.schemaNamesOf(bob)).toEqual([]);
    expect(await tenants.find(await nameOf())).toMatchObject({ cashFlowMethod: 'direct' });
    expect(await changeActors(database.table, await nameOf())).toEqual([
      ['tenant_created', 'user', userId, null],
      ['company_connected', 'user', userId, userId],
    ]);
  });

  test("is exchanged at the slot of its state, under the stage's name for it", async () => {
    const slots = testSlots();
    slots.platform_b.name = 'quickbooks';
    const path = '/oauth/quickbooks/callback';
    const ours = { slot: 'platform_b', redirectUri: `https://callback.example${path}` } as const;
    const page = await visitWithCode(ours, { path, slots });
    expect(page.location).toBe(`${redirectUrl}?status=success&domain_url=${await prefixOf()}`);
  });

  test('passes the code, verifier, redirect URI and callback to the platform', async () => {
    const grants: unknown[] = [];
    const platform: Platform = {
      ...world.fake.platform,
      connect: (grant) => {
        grants.push({ ...grant, callback: Object.fromEntries(grant.callback) });
        return world.fake.platform.connect(grant);
      },
    };
    const [code, state] = [world.fake.issueCode(redirectUri), await begin()];
    const query = { code, state, realmId: '9341453', location: 'eu' };
    const page = readPage(await visit(query, { platforms: { get: async () => platform } }));
    expect(page.location).toContain('status=success');
    const codeVerifier = (await stateKeys.recognise(state))?.codeVerifier;
    expect(grants).toEqual([{ code, redirectUri, codeVerifier, callback: query }]);
  });

  test("keeps the company's data center and the date of the next consent", async () => {
    const company = { ...newCompany(), dataCenter: 'in' };
    const reconnectInSeconds = 5 * 365 * 24 * 60 * 60;
    world.fake = openFakePlatform({ adapter: 'zoho', company, reconnectInSeconds });
    await visitWithCode();
    const { companyId, dataCenter } = company;
    const connection = await connections.find(await nameOf());
    expect(connection).toMatchObject({ adapter: 'zoho', companyId, dataCenter });
    const reconnectBy = '2031-03-22T09:30:00.000Z';
    expect(await tenants.find(await nameOf())).toMatchObject({ reconnectBy });
  });
});

test.each([
  ['access_denied', 'after a denial', 'error=access_denied'],
  ['access_denied', 'even with a code', 'error=access_denied&code=1'],
  ['authorization_failed', 'after another error', 'error=server_error'],
  ['authorization_failed', 'with an empty error', 'error='],
  ['authorization_failed', 'with two errors', 'error=access_denied&error=access_denied'],
  ['authorization_failed', 'without a code', 'x=1'],
  ['authorization_failed', 'with an empty code', 'code='],
  ['authorization_failed', 'with two codes', 'code=1&code=2'],
  ['authorization_failed', 'with a code that is too long', `code=${'1'.repeat(4097)}`],
])('a callback redirects with %s %s, and uses up its state', async (error, _, query) => {
  const state = await begin();
  const page = readPage(await visit(`${query}&state=${state}`));
  expect(page).toMatchObject({ status: 303, location: failedAt(error) });
  expect(world.fake.calls).toEqual([]);
  expect(await states.consume(state, now)).toBeUndefined();
});

test('a suspended application cannot connect companies', async () => {
  await applications.setStatus('app1', { status: 'suspended', now });
  const location = failedAt('application_suspended');
  expect(await visitWithCode()).toMatchObject({ status: 303, location });
  expect(await visitWithCode({ redirectUrl: null })).toMatchObject({
    status: 403,
    text: expect.stringContaining('is suspended here. (application_suspended)'),
  });
  expect(world.fake.calls).toEqual([]);
  await applications.setStatus('app1', { status: 'active', now });
  expect((await visitWithCode()).location).toContain('status=success');
});

describe('a failure after consent', () => {
  test.each<[PlatformFailureReason, string, number]>([
    ['code_refused', 'authorization_failed', 400],
    ['platform_unavailable', 'platform_failed', 502],
    ['platform_timed_out', 'platform_timed_out', 504],
  ])('of the platform (%s) redirects with %s', async (reason, error, status) => {
    const before = (await database.scan()).length;
    world.fake.plan('connect', new PlatformFailure(reason), new PlatformFailure(reason));
    expect(await visitWithCode()).toMatchObject({ status: 303, location: failedAt(error) });
    expect(await visitWithCode({ redirectUrl: null })).toEqual({
      status,
      location: undefined,
      title: 'The company was not connected',
      text: expect.stringMatching(new RegExp(`^[A-Z].*\\. \\(${error}\\) ${goBack}$`)),
    });
    expect(world.log.lines).toContainEqual([
      'the platform failed',
      expect.objectContaining({ platform: 'platform_a', error: new PlatformFailure(reason) }),
    ]);
    expect(JSON.stringify(world.log.lines)).not.toContain('secret-');
    expect(await database.scan()).toHaveLength(before);
  });

  test('of ours redirects with internal_error, and its cause is logged', async () => {
    const platforms = { get: () => Promise.reject(new Error('the secret is gone')) };
    const page = await visitWithCode({}, { platforms });
    expect(page.location).toBe(failedAt('internal_error'));
    expect(world.log.lines).toContainEqual([
      'authorization failed',
      expect.objectContaining({ error: new Error('the secret is gone') }),
    ]);
  });
});

test.each([
  '/',
  '/oauth/platform_d/callback',
  '/oauth/manual/callback',
  '/oauth/platform_a/callback/',
  '/oauth/platform_a/initiate',
  '/x/oauth/platform_a/callback',
])('there is no page at %s, and the state stays valid', async (path) => {
  const state = await begin();
  expect(readPage(await visit({ code: '1', state }, { path }))).toEqual({
    status: 404,
    location: undefined,
    title: 'There is nothing here',
    text: 'Check the address.',
  });
  expect(await states.consume(state, now)).toBeDefined();
});

test.each(['PUT', 'HEAD', 'OPTIONS'])('%s is not allowed, and keeps the state', async (method) => {
  const state = await begin();
  const result = await visit({ code: '1', state }, { method });
  expect([result.statusCode, result.headers?.Allow]).toEqual([405, 'GET, POST']);
  expect(await states.consume(state, now)).toBeDefined();
});
