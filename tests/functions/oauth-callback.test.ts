import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Dependencies } from '#functions/oauth-callback/handler.ts';
import {
  type Platform,
  PlatformFailure,
  type PlatformFailureReason,
} from '#shared/platforms/platform.ts';
import { openApplications } from '#shared/store/applications.ts';
import { openImports } from '#shared/store/imports.ts';
import { openOAuthStates, type PendingAuthorization } from '#shared/store/oauth-states.ts';
import { openTestStates } from '../support/builders/secrets.ts';
import { testSlots } from '../support/builders/slots.ts';
import { newSuffix, openTestTenants } from '../support/builders/tenants.ts';
import { keepReply, lambdaContext } from '../support/events/lambda-events.ts';
import { readPage, urlEvent } from '../support/events/url-events.ts';
import { costFields, keepLog } from '../support/recorders/log.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';
import { acme, openFakePlatform } from '../support/servers/fake-platform.ts';

const now = new Date('2026-03-23T09:30:00.000Z');
const callbackPath = '/oauth/platform_a/callback';
const redirectUri = `https://callback.example${callbackPath}`;
const redirectUrl = 'https://app.example/done';

const database = await openTestTenants();
const { tenants, connections } = database;
const states = openOAuthStates(database.table);
const { stateKeys, newState } = openTestStates();
const other = openTestStates();
const applications = openApplications(database.table);
await applications.record({
  ...{ applicationId: 'app1', name: 'One', status: 'active', redirectUrls: [] },
  createdAt: now.toISOString(),
});
const ada = await database.newOwner('ada@example.com');

let log: ReturnType<typeof keepLog>;
let fake: ReturnType<typeof openFakePlatform>;

beforeEach(() => {
  log = keepLog();
  const name = `Acme ${newSuffix()}`;
  fake = openFakePlatform({ company: { ...acme, companyId: randomUUID(), name } });
});

const begin = async (changes: Partial<PendingAuthorization> = {}): Promise<string> => {
  const state = await newState();
  const pending: PendingAuthorization = {
    ...{ applicationId: 'app1', email: ada.email, slot: 'platform_a' },
    cashFlowMethod: 'direct',
    redirectUrl,
    redirectUri,
    ...changes,
  };
  await states.record(state, { pending, now });
  return state;
};

type Visit = { path?: string; method?: string } & Partial<Dependencies>;

const visit = async (query: string | Record<string, string>, options: Visit = {}) => {
  const { path = callbackPath, method = 'GET', ...changes } = options;
  const handler = createHandler({
    states,
    stateKeys,
    applications,
    tenants,
    slots: testSlots(),
    platforms: fake.platforms,
    clock: () => now,
    newImportId: () => 'import-1',
    log,
    metrics: keepMetrics(),
    ...changes,
  });
  return keepReply(await handler(urlEvent({ path, query, method }), lambdaContext()));
};

/** A visit after consent, to a code that is good for this address. */
const visitWithCode = async (changes: Partial<PendingAuthorization> = {}, options: Visit = {}) => {
  const state = await begin(changes);
  const code = fake.issueCode(changes.redirectUri ?? redirectUri);
  return readPage(await visit({ code, state }, options));
};

/** The prefix of the tenant that the platform's company became. */
const prefixOf = async (): Promise<string> => {
  const items = await database.scan();
  const entry = items.find(({ pk }) => String(pk).endsWith(fake.company.companyId));
  return String(entry?.schemaName).replaceAll('_', '-');
};

const nameOf = async () => ({
  applicationId: 'app1',
  schemaName: (await prefixOf()).replaceAll('-', '_'),
});

const noLongerWorks = {
  status: 400,
  location: undefined,
  title: 'This link does not work any more',
  text: 'It was used already, or it is more than ten minutes old. Please start again.',
};

describe('consent', () => {
  test('makes a tenant whose import is asked for, and sends the browser back', async () => {
    const code = fake.issueCode(redirectUri);
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
      companyName: fake.company.name,
      currency: 'EUR',
      cashFlowMethod: 'direct',
      status: 'importing',
      createdAt: now.toISOString(),
    });
    expect(await connections.find(name)).toEqual({
      adapter: 'xero',
      companyId: fake.company.companyId,
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
      text: `It has the name ${await prefixOf()} here. You can close this page.`,
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
      ...fake.platform,
      connect: (grant) => {
        asked.push({ ...grant, callback: Object.fromEntries(grant.callback) });
        return fake.platform.connect(grant);
      },
    };
    const [code, state] = [fake.issueCode(redirectUri), await begin()];
    const query = { code, state, realmId: '9341453', location: 'eu' };
    const page = readPage(await visit(query, { platforms: { get: async () => platform } }));
    expect(page.location).toContain('status=success');
    const codeVerifier = (await stateKeys.recognise(state))?.codeVerifier;
    expect(asked).toEqual([{ code, redirectUri, codeVerifier, callback: query }]);
  });

  test('keeps at which data center of its platform the company is', async () => {
    const name = `Acme ${newSuffix()}`;
    const company = { ...acme, companyId: randomUUID(), dataCenter: 'in', name };
    fake = openFakePlatform({ adapter: 'zoho', company });
    await visitWithCode();
    expect(await connections.find(await nameOf())).toMatchObject({
      adapter: 'zoho',
      companyId: company.companyId,
      dataCenter: 'in',
    });
  });

  test('leaves no code, state or token in the log, nor tokens in the table', async () => {
    const [code, state] = [fake.issueCode(redirectUri), await begin()];
    await visit({ code, state });
    expect(log.lines).toEqual([
      [
        'callback',
        {
          request_id: '8f6a1f0e-93c5-4f7f-8f0e-0123456789ab',
          route: `GET ${callbackPath}`,
          application_id: 'app1',
          outcome: 'success',
          status: 200,
          ...costFields(4),
        },
      ],
    ]);
    const kept = JSON.stringify([log.lines, await database.scan()]);
    expect(kept).not.toContain('secret-');
    expect(kept).not.toContain(state);
  });
});

describe('a state', () => {
  test('lets one of 16 callbacks through', async () => {
    const query = { code: fake.issueCode(redirectUri), state: await begin() };
    const visits = Array.from({ length: 16 }, async () => readPage(await visit(query)));
    const refused = (await Promise.all(visits)).filter(({ status }) => status !== 303);
    expect(refused).toEqual(Array.from({ length: 15 }, () => noLongerWorks));
  });

  test.each([
    ['is missing', async () => 'code=1'],
    ['is empty', async () => 'code=1&state='],
    ['is given twice', async () => `code=1&state=${await begin()}&state=${await begin()}`],
    ['is too long', async () => `code=1&state=${await begin()}A`],
    ['is cut', async () => `code=1&state=${(await begin()).slice(0, -1)}`],
    ['has no MAC', async () => `code=1&state=${(await begin()).split('.').slice(0, 2).join('.')}`],
    ['is under keys of somebody else', async () => `code=1&state=${await other.newState()}`],
    ['is missing beside an error', async () => 'error=access_denied'],
    ['is in other letters', async () => `code=1&state=${(await begin()).toLowerCase()}`],
    ['has a URL beside it', async () => 'code=1&state=x&redirect_url=https://evil.example/'],
  ])('that %s gets a plain page without a look into the table', async (_, query) => {
    expect(readPage(await visit(await query()))).toEqual(noLongerWorks);
    expect(fake.calls).toEqual([]);
    expect(log.lines).toEqual([['callback', expect.objectContaining(costFields(0))]]);
  });

  test('of ours that was never recorded gets the same page', async () => {
    const state = await newState();
    expect(readPage(await visit({ code: '1', state }))).toEqual(noLongerWorks);
  });

  test('that is ten minutes old gets the same page', async () => {
    const query = { code: fake.issueCode(redirectUri), state: await begin() };
    const clock = () => new Date(now.getTime() + 600_000);
    expect(readPage(await visit(query, { clock }))).toEqual(noLongerWorks);
    expect(fake.calls).toEqual([]);
  });

  test("that comes to another platform's callback gets the same page and is used up", async () => {
    const query = { code: fake.issueCode(redirectUri), state: await begin({ slot: 'platform_b' }) };
    expect(readPage(await visit(query))).toEqual(noLongerWorks);
    const path = '/oauth/platform_b/callback';
    expect(readPage(await visit(query, { path }))).toEqual(noLongerWorks);
    expect(fake.calls).toEqual([]);
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
    expect(fake.calls).toEqual([]);
    expect(await states.consume(state, now)).toBeUndefined();
  });
});

test('a suspended application gets nothing connected, and is told so', async () => {
  await applications.setStatus('app1', 'suspended');
  const location = `${redirectUrl}?status=error&error=application_suspended`;
  expect(await visitWithCode()).toMatchObject({ status: 303, location });
  expect(await visitWithCode({ redirectUrl: null })).toMatchObject({
    status: 403,
    text: 'The application that asked for this is suspended here. (application_suspended)',
  });
  expect(fake.calls).toEqual([]);
  await applications.setStatus('app1', 'active');
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
    fake.plan('connect', new PlatformFailure(reason), new PlatformFailure(reason));
    const location = `${redirectUrl}?status=error&error=${error}`;
    expect(await visitWithCode()).toMatchObject({ status: 303, location });
    expect(await visitWithCode({ redirectUrl: null })).toEqual({
      status,
      location: undefined,
      title: 'The company was not connected',
      text: expect.stringMatching(new RegExp(`^[A-Z].*\\. \\(${error}\\)$`)),
    });
    expect(log.lines).toContainEqual([
      'the platform failed',
      expect.objectContaining({ platform: 'platform_a', error: new PlatformFailure(reason) }),
    ]);
    expect(JSON.stringify(log.lines)).not.toContain('secret-');
    expect(await database.scan()).toHaveLength(before);
  });

  test('of a code that was issued for another address goes back', async () => {
    const code = fake.issueCode('https://callback.example/oauth/platform_b/callback');
    const page = readPage(await visit({ code, state: await begin() }));
    expect(page.location).toBe(`${redirectUrl}?status=error&error=authorization_failed`);
  });

  test('that nobody expected goes back as internal_error; the log has its cause', async () => {
    const platforms = { get: () => Promise.reject(new Error('the secret is gone')) };
    const page = await visitWithCode({}, { platforms });
    expect(page.location).toBe(`${redirectUrl}?status=error&error=internal_error`);
    expect(log.lines).toContainEqual([
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

  test.each(['POST', 'PUT', 'HEAD', 'OPTIONS'])('does not take %s', async (method) => {
    const state = await begin();
    const result = await visit({ code: '1', state }, { method });
    expect([result.statusCode, result.headers?.Allow]).toEqual([405, 'GET']);
    expect(await states.consume(state, now)).toBeDefined();
  });
});
