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
import { costFields } from '../../support/recorders/log.ts';
import { openFakePlatform } from '../../support/servers/fake-platform.ts';

const callbacks = await openCallbacks();
const { database, tenants, connections, states, stateKeys, applications, ada } = callbacks;
const { world, begin, visit, visitWithCode, prefixOf, nameOf } = callbacks;

beforeEach(callbacks.beginTest);

describe('consent', () => {
  test('makes a tenant whose import is asked for, and sends the browser back', async () => {
    const code = world.fake.issueCode(redirectUri);
    const result = await visit({ code, state: await begin() });
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
    const name = { applicationId: 'app1', schemaName: prefix.replaceAll('-', '_') };
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
  });

  test("comes after the redirect_url's own query", async () => {
    const page = await visitWithCode({ redirectUrl: `${redirectUrl}?tenant=1&q=a%20b` });
    expect(page.location).toBe(
      `${redirectUrl}?tenant=1&q=a%20b&status=success&domain_url=${await prefixOf()}`,
    );
  });

  test('shows a plain page where there is no redirect_url', async () => {
    expect(await visitWithCode({ redirectUrl: null })).toEqual({
      status: 200,
      location: undefined,
      title: 'The company is connected',
      text: `It has the name ${await prefixOf()} here. ${goBack}`,
    });
  });

  test('to a company that is connected goes back to its tenant', async () => {
    const first = await visitWithCode();
    expect(await visitWithCode()).toEqual(first);
  });

  test('to a company that another user has connected goes back, and connects nothing', async () => {
    await visitWithCode();
    const bob = await database.newOwner('bob@example.com');
    const companyOf = async () => (await connections.find(await nameOf()))?.version;
    const code = 'company_connected_by_another_user';
    const page = await visitWithCode({ email: bob.email, cashFlowMethod: 'indirect' });
    expect(page.location).toBe(`${redirectUrl}?status=error&error=${code}`);
    expect(await visitWithCode({ email: bob.email, redirectUrl: null })).toMatchObject({
      status: 403,
      title: 'The company was not connected',
    });
    expect([await companyOf(), await database.schemaNamesOf(bob)]).toEqual([1, []]);
    expect(await tenants.find(await nameOf())).toMatchObject({ cashFlowMethod: 'direct' });
  });

  test('is exchanged at the slot whose state it is, under its name on this stage', async () => {
    const slots = testSlots();
    slots.platform_b.name = 'quickbooks';
    const path = '/oauth/quickbooks/callback';
    const ours = { slot: 'platform_b', redirectUri: `https://callback.example${path}` } as const;
    const page = await visitWithCode(ours, { path, slots });
    expect(page.location).toBe(`${redirectUrl}?status=success&domain_url=${await prefixOf()}`);
  });

  test('hands the platform code, verifier, address and all that came with them', async () => {
    const asked: unknown[] = [];
    const platform: Platform = {
      ...world.fake.platform,
      connect: (grant) => {
        asked.push({ ...grant, callback: Object.fromEntries(grant.callback) });
        return world.fake.platform.connect(grant);
      },
    };
    const [code, state] = [world.fake.issueCode(redirectUri), await begin()];
    const query = { code, state, realmId: '9341453', location: 'eu' };
    const page = readPage(await visit(query, { platforms: { get: async () => platform } }));
    expect(page.location).toContain('status=success');
    const codeVerifier = (await stateKeys.recognise(state))?.codeVerifier;
    expect(asked).toEqual([{ code, redirectUri, codeVerifier, callback: query }]);
  });

  test('keeps at which data center of its platform the company is', async () => {
    const company = { ...newCompany(), dataCenter: 'in' };
    world.fake = openFakePlatform({ adapter: 'zoho', company });
    await visitWithCode();
    expect(await connections.find(await nameOf())).toMatchObject({
      adapter: 'zoho',
      companyId: company.companyId,
      dataCenter: 'in',
    });
  });

  test('keeps when it must be given anew, where the platform says so', async () => {
    const company = newCompany();
    world.fake = openFakePlatform({ company, reconnectInSeconds: 5 * 365 * 24 * 60 * 60 });
    await visitWithCode();
    const reconnectBy = '2031-03-22T09:30:00.000Z';
    expect(await tenants.find(await nameOf())).toMatchObject({ reconnectBy });
  });

  test('leaves no code, state or token in the log, nor tokens in the table', async () => {
    const [code, state] = [world.fake.issueCode(redirectUri), await begin()];
    await visit({ code, state });
    expect(world.log.lines).toEqual([
      [
        'callback',
        {
          request_id: '8f6a1f0e-93c5-4f7f-8f0e-0123456789ab',
          route: `GET ${callbackPath}`,
          application_id: 'app1',
          outcome: 'success',
          status: 200,
          ...costFields(5),
        },
      ],
    ]);
    const kept = JSON.stringify([world.log.lines, await database.scan()]);
    expect(kept).not.toContain('secret-');
    expect(kept).not.toContain(state);
  });
});

describe('without a grant the browser goes back with', () => {
  test.each([
    ['access_denied', 'where the user said no', 'error=access_denied'],
    ['access_denied', 'where there is a code too', 'error=access_denied&code=1'],
    ['authorization_failed', 'for any other error', 'error=server_error'],
    ['authorization_failed', 'for an empty error', 'error='],
    ['authorization_failed', 'for two errors', 'error=access_denied&error=access_denied'],
    ['authorization_failed', 'without a code', 'x=1'],
    ['authorization_failed', 'for an empty code', 'code='],
    ['authorization_failed', 'for two codes', 'code=1&code=2'],
    ['authorization_failed', 'for a code that is too long', `code=${'1'.repeat(4097)}`],
  ])('%s %s', async (error, _, query) => {
    const state = await begin();
    const page = readPage(await visit(`${query}&state=${state}`));
    const location = `${redirectUrl}?status=error&error=${error}`;
    expect(page).toMatchObject({ status: 303, location });
    expect(world.fake.calls).toEqual([]);
    expect(await states.consume(state, now)).toBeUndefined();
  });
});

test('a suspended application gets nothing connected, and is told so', async () => {
  await applications.setStatus('app1', { status: 'suspended', now });
  const location = `${redirectUrl}?status=error&error=application_suspended`;
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
  // What each reason means to a browser is shown with the failures themselves.
  test.each<[PlatformFailureReason, string, number]>([
    ['code_refused', 'authorization_failed', 400],
    ['platform_unavailable', 'platform_failed', 502],
    ['platform_timed_out', 'platform_timed_out', 504],
  ])('that is %s goes back as %s', async (reason, error, status) => {
    const before = (await database.scan()).length;
    world.fake.plan('connect', new PlatformFailure(reason), new PlatformFailure(reason));
    const location = `${redirectUrl}?status=error&error=${error}`;
    expect(await visitWithCode()).toMatchObject({ status: 303, location });
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

  test('of a code that was issued for another address goes back', async () => {
    const code = world.fake.issueCode('https://callback.example/oauth/platform_b/callback');
    const page = readPage(await visit({ code, state: await begin() }));
    expect(page.location).toBe(`${redirectUrl}?status=error&error=authorization_failed`);
  });

  test('that nobody expected goes back as internal_error; the log has its cause', async () => {
    const platforms = { get: () => Promise.reject(new Error('the secret is gone')) };
    const page = await visitWithCode({}, { platforms });
    expect(page.location).toBe(`${redirectUrl}?status=error&error=internal_error`);
    expect(world.log.lines).toContainEqual([
      'authorization failed',
      expect.objectContaining({ error: new Error('the secret is gone') }),
    ]);
  });
});

describe('an address', () => {
  test.each([
    '/',
    '/oauth/platform_d/callback',
    '/oauth/manual/callback',
    '/oauth/platform_a/callback/',
    '/oauth/platform_a/initiate',
    '/x/oauth/platform_a/callback',
  ])('%s has nothing to show', async (path) => {
    const state = await begin();
    const page = readPage(await visit({ code: '1', state }, { path }));
    expect(page).toEqual({
      status: 404,
      location: undefined,
      title: 'There is nothing here',
      text: 'Check the address.',
    });
    expect(await states.consume(state, now)).toBeDefined();
  });

  test.each(['PUT', 'HEAD', 'OPTIONS'])('does not take %s', async (method) => {
    const state = await begin();
    const result = await visit({ code: '1', state }, { method });
    expect([result.statusCode, result.headers?.Allow]).toEqual([405, 'GET, POST']);
    expect(await states.consume(state, now)).toBeDefined();
  });
});
