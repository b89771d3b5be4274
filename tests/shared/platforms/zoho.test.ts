import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Platform, PlatformFailure } from '#shared/platforms/platform.ts';
import { createZoho } from '#shared/platforms/zoho.ts';
import { zohoDataCenters, zohoHosts } from '#shared/platforms/zoho-data-centers.ts';
import { type FakeReply, startFakeServer } from '../../support/servers/fake-server.ts';

const redirectUri = 'https://ledger.example/oauth/zoho/callback';
const client = { clientId: '1000.Client', clientSecret: 'Secret-of-Client' };
const held = { accessToken: '1000.Secret-Access', refreshToken: '1000.Secret-Refresh' };

let server: Awaited<ReturnType<typeof startFakeServer>>;
let platform: Platform;

beforeAll(async () => {
  server = await startFakeServer();
  platform = createZoho({ ...client, baseUrlOverride: server.url, timeoutMilliseconds: 2_000 });
});
afterAll(() => server.stop());
beforeEach(() => {
  server.requests.length = 0;
});

const json = (body: unknown, status = 200): FakeReply => ({ status, body: JSON.stringify(body) });

/** Each request gets the next of these replies. */
const replyInTurn = (...bodies: unknown[]): void => {
  const left = bodies.map((body) => JSON.stringify(body));
  server.reply = {
    get body() {
      return left.shift() ?? '';
    },
  };
};

/** What was asked for, without the headers that fetch adds. */
const asked = () =>
  server.requests.map(({ method, path, headers: { authorization }, body }) => ({
    call: `${method} ${path}`,
    ...(authorization !== undefined && { authorization }),
    ...(body !== '' && { form: Object.fromEntries(new URLSearchParams(body)) }),
  }));

/** Fails the test where the call does not fail, or where the failure holds something secret. */
const failureOf = async (failing: Promise<unknown>) => {
  const error = await failing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PlatformFailure)) throw new Error(`no PlatformFailure: ${inspect(error)}`);
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain('Secret');
  const { reason, retryAfterSeconds } = error;
  return retryAfterSeconds === undefined ? { reason } : { reason, retryAfterSeconds };
};

const tokenReply = {
  access_token: held.accessToken,
  refresh_token: held.refreshToken,
  scope: 'ZohoBooks.settings.READ ZohoBooks.accountants.READ',
  api_domain: 'https://www.zohoapis.com',
  token_type: 'Bearer',
  expires_in: 3600,
};
const organization = { organization_id: '60001234567', name: 'Acme', currency_code: 'EUR' };
const organizationsReply = (...organizations: object[]) => ({
  code: 0,
  message: 'success',
  organizations,
});
const access = { companyId: '60001234567', dataCenter: 'eu', accessToken: held.accessToken };

const connectWith = (callback: Record<string, string> = {}) =>
  platform.connect({
    code: '1000.Secret-Code',
    redirectUri,
    callback: new URLSearchParams(callback),
  });

describe('an authorization', () => {
  test('begins with the parameters that make Zoho give a refresh token', () => {
    const real = createZoho(client).authorizationUrl({ redirectUri, state: 'State' });
    const url = new URL(real);
    expect(url.origin + url.pathname).toBe('https://accounts.zoho.com/oauth/v2/auth');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: '1000.Client',
      redirect_uri: redirectUri,
      scope: 'ZohoBooks.settings.READ,ZohoBooks.accountants.READ',
      state: 'State',
      access_type: 'offline',
      prompt: 'consent',
    });
  });

  test.each(zohoDataCenters)('ends at the hosts of the data center %s', async (dataCenter) => {
    const { accounts, api } = zohoHosts[dataCenter];
    replyInTurn({ ...tokenReply, api_domain: `https://${api}` }, organizationsReply(organization));
    expect(
      await connectWith({ location: dataCenter, 'accounts-server': `https://${accounts}` }),
    ).toEqual({
      tokens: { ...held, expiresInSeconds: 3600 },
      company: { companyId: '60001234567', dataCenter, name: 'Acme', currency: 'EUR' },
    });
    expect(asked()).toEqual([
      {
        call: `POST /${accounts}/oauth/v2/token`,
        form: {
          grant_type: 'authorization_code',
          code: '1000.Secret-Code',
          redirect_uri: redirectUri,
          client_id: '1000.Client',
          client_secret: 'Secret-of-Client',
        },
      },
      {
        call: `GET /${api}/books/v3/organizations`,
        authorization: 'Zoho-oauthtoken 1000.Secret-Access',
      },
    ]);
  });

  test.each<[string, Record<string, string>, string]>([
    ['by nothing', {}, 'us'],
    ['by its name alone', { location: 'in' }, 'in'],
    ['by its server alone', { 'accounts-server': 'https://accounts.zohocloud.ca' }, 'ca'],
  ])('is for a data center that the callback names %s', async (_title, callback, dataCenter) => {
    const { api_domain: _, ...withoutDomain } = tokenReply;
    replyInTurn(withoutDomain, organizationsReply(organization));
    expect(await connectWith(callback)).toMatchObject({ company: { dataCenter } });
  });

  test.each<[string, Record<string, string>]>([
    ['a name that nobody knows', { location: 'xx' }],
    ['a name in capitals', { location: 'EU' }],
    ['a host as its name', { location: 'accounts.zoho.eu' }],
    ['a name that every object has', { location: 'toString' }],
    ['a server that nobody knows', { 'accounts-server': 'https://accounts.zoho.example' }],
    ['a server that begins as a known one', { 'accounts-server': 'https://accounts.zoho.eu.xx' }],
    ['a server without encryption', { 'accounts-server': 'http://accounts.zoho.eu' }],
    ['a server with a port', { 'accounts-server': 'https://accounts.zoho.eu:8443' }],
    ['a server behind a user', { 'accounts-server': 'https://accounts.zoho.eu@xx.example' }],
    ['a server with a path', { 'accounts-server': 'https://accounts.zoho.eu/x' }],
    [
      'the server of another data center',
      { location: 'eu', 'accounts-server': 'https://accounts.zoho.in' },
    ],
  ])('calls nobody where the callback has %s', async (_title, callback) => {
    expect(await failureOf(connectWith(callback))).toEqual({ reason: 'reply_not_understood' });
    expect(server.requests).toEqual([]);
  });

  const other = (id: string, more: object = {}) => ({
    ...organization,
    organization_id: id,
    ...more,
  });

  test.each<[string, object[], string]>([
    ['the only one', [other('20')], '20'],
    [
      'the default one',
      [other('10', { is_default_org: false }), other('20', { is_default_org: true })],
      '20',
    ],
    ['the oldest where none is the default', [other('100'), other('20'), other('30')], '20'],
    [
      'the default one whatever currency others have',
      [other('10', { currency_code: '' }), other('20', { is_default_org: true })],
      '20',
    ],
  ])('is for %s of the organizations', async (_title, organizations, companyId) => {
    replyInTurn(tokenReply, organizationsReply(...organizations));
    expect(await connectWith()).toMatchObject({ company: { companyId } });
  });

  test.each<[string, unknown[], string]>([
    ['the user has no organization', [tokenReply, organizationsReply()], 'company_not_found'],
    [
      'its currency is none',
      [tokenReply, organizationsReply({ ...organization, currency_code: 'XXX' })],
      'reply_not_understood',
    ],
    [
      'its id is none',
      [tokenReply, organizationsReply({ ...organization, organization_id: '../x' })],
      'reply_not_understood',
    ],
    [
      'there is no refresh token',
      [{ ...tokenReply, refresh_token: undefined }],
      'reply_not_understood',
    ],
    [
      'the API is said to be elsewhere',
      [{ ...tokenReply, api_domain: 'https://www.zohoapis.com.example' }],
      'reply_not_understood',
    ],
    [
      'the API is said to be at another data center',
      [{ ...tokenReply, api_domain: 'https://www.zohoapis.eu' }],
      'reply_not_understood',
    ],
  ])('fails where %s', async (_title, replies, reason) => {
    replyInTurn(...replies);
    expect(await failureOf(connectWith())).toEqual({ reason });
    expect(server.requests).toHaveLength(replies.length);
  });
});

describe('the token endpoint', () => {
  const refresh = () => platform.refresh({ ...held, dataCenter: 'in' });

  test('renews the access token, and the refresh token only where it sends another', async () => {
    const { refresh_token: _, ...renewed } = {
      ...tokenReply,
      access_token: 'new',
      api_domain: 'https://www.zohoapis.in',
    };
    replyInTurn(renewed, { ...renewed, refresh_token: 'other' });
    expect([await refresh(), await refresh()]).toEqual([
      { accessToken: 'new', refreshToken: held.refreshToken, expiresInSeconds: 3600 },
      { accessToken: 'new', refreshToken: 'other', expiresInSeconds: 3600 },
    ]);
    expect(asked()[0]).toEqual({
      call: 'POST /accounts.zoho.in/oauth/v2/token',
      form: {
        grant_type: 'refresh_token',
        refresh_token: held.refreshToken,
        client_id: '1000.Client',
        client_secret: 'Secret-of-Client',
      },
    });
  });

  test('is not called for a data center that is not known', async () => {
    const failing = platform.refresh({ ...held, dataCenter: 'accounts.example' });
    expect(await failureOf(failing)).toEqual({ reason: 'company_not_found' });
    expect(server.requests).toEqual([]);
  });

  const throttled = {
    error_description: 'You have made too many requests continuously.',
    error: 'Access Denied',
    status: 'failure',
  };

  test.each<[string, FakeReply, { reason: string; retryAfterSeconds?: number }]>([
    ['invalid_code', json({ error: 'invalid_code' }), { reason: 'refused' }],
    ['invalid_code with 400', json({ error: 'invalid_code' }, 400), { reason: 'refused' }],
    ['invalid_grant', json({ error: 'invalid_grant' }), { reason: 'refused' }],
    ['invalid_client', json({ error: 'invalid_client' }), { reason: 'platform_unavailable' }],
    ['a page with 403', { status: 403, body: '<html>' }, { reason: 'platform_unavailable' }],
    ['nothing with 401', { status: 401, body: '' }, { reason: 'platform_unavailable' }],
    [
      'words of its own with 401',
      json({ error: 'general_error' }, 401),
      { reason: 'platform_unavailable' },
    ],
    [
      'invalid_client_secret',
      json({ error: 'invalid_client_secret' }),
      { reason: 'platform_unavailable' },
    ],
    [
      'invalid_redirect_uri',
      json({ error: 'invalid_redirect_uri' }),
      { reason: 'platform_unavailable' },
    ],
    ['too many tokens', json(throttled), { reason: 'rate_limited', retryAfterSeconds: 600 }],
    [
      'too many tokens, with 400',
      json(throttled, 400),
      { reason: 'rate_limited', retryAfterSeconds: 600 },
    ],
    [
      'an error of another kind',
      json({ error: '1000.Secret' }),
      { reason: 'reply_not_understood' },
    ],
    ['nothing', json({}), { reason: 'reply_not_understood' }],
    ['503', json({ error: 'general_error' }, 503), { reason: 'platform_unavailable' }],
  ])('answers %s', async (_title, reply, { reason, ...wait }) => {
    server.reply = reply;
    const reasonFor = (refused: string) => (reason === 'refused' ? refused : reason);
    expect(await failureOf(refresh())).toEqual({
      reason: reasonFor('credentials_refused'),
      ...wait,
    });
    expect(await failureOf(connectWith())).toEqual({ reason: reasonFor('code_refused'), ...wait });
  });
});

describe('giving access back', () => {
  const disconnect = () => platform.disconnect({ ...access, ...held });

  test('revokes the refresh token at the data center of the company', async () => {
    server.reply = json({ status: 'success' });
    await disconnect();
    expect(asked()).toEqual([
      {
        call: 'POST /accounts.zoho.eu/oauth/v2/token/revoke?token=1000.Secret-Refresh',
        form: { token: '1000.Secret-Refresh' },
      },
    ]);
  });

  test.each<[string, FakeReply]>([
    ['400 and a page', { status: 400, body: '<html>' }],
    ['invalid_code', json({ error: 'invalid_code' })],
  ])('is done where the token is dead: %s', async (_title, reply) => {
    server.reply = reply;
    expect(await disconnect()).toBeUndefined();
  });

  test.each<[string, FakeReply | undefined, object]>([
    ['500', json({}, 500), { reason: 'platform_unavailable' }],
    ['429', json({}, 429), { reason: 'rate_limited' }],
    ['an error of another kind', json({ error: 'general' }), { reason: 'reply_not_understood' }],
    ['a page', { body: '<html>' }, { reason: 'reply_not_understood' }],
  ])('is not done at %s', async (_title, reply, expected) => {
    server.reply = reply;
    expect(await failureOf(disconnect())).toEqual(expected);
  });
});

describe('a company', () => {
  test('is found among the organizations of the user', async () => {
    server.reply = json(
      organizationsReply({ ...organization, organization_id: '7' }, organization),
    );
    expect(await platform.company(access)).toEqual({
      companyId: '60001234567',
      dataCenter: 'eu',
      name: 'Acme',
      currency: 'EUR',
    });
    expect(asked()).toEqual([
      {
        call: 'GET /www.zohoapis.eu/books/v3/organizations',
        authorization: 'Zoho-oauthtoken 1000.Secret-Access',
      },
    ]);
  });

  test('is of the first data center where none is named', async () => {
    server.reply = json(organizationsReply(organization));
    const company = await platform.company({ ...access, dataCenter: null });
    expect(company).toMatchObject({ dataCenter: 'us' });
  });

  test('is not found where the user has no such organization', async () => {
    server.reply = json(organizationsReply({ ...organization, organization_id: '7' }));
    expect(await failureOf(platform.company(access))).toEqual({ reason: 'company_not_found' });
  });

  test.each(['', '..', '1/2', '1&organization_id=2', 'acme', '1'.repeat(21)])(
    'has no accounts and no journals under the id "%s", which nobody is asked for',
    async (companyId) => {
      const expected = { reason: 'company_not_found' };
      const wrong = { ...access, companyId };
      expect(await failureOf(platform.accountPage(wrong, null))).toEqual(expected);
      expect(await failureOf(platform.journalPage(wrong, null))).toEqual(expected);
      expect(server.requests).toEqual([]);
    },
  );
});

describe('the API', () => {
  test.each<[string, FakeReply, object]>([
    ['44', json({ code: 44 }, 429), { reason: 'rate_limited', retryAfterSeconds: 60 }],
    ['45', json({ code: 45 }, 429), { reason: 'rate_limited', retryAfterSeconds: 3600 }],
    ['1070', json({ code: 1070 }, 429), { reason: 'rate_limited', retryAfterSeconds: 10 }],
    ['429 alone', json({}, 429), { reason: 'rate_limited', retryAfterSeconds: 60 }],
    [
      '45 with Retry-After',
      { ...json({ code: 45 }, 429), headers: { 'Retry-After': '7' } },
      { reason: 'rate_limited', retryAfterSeconds: 7 },
    ],
    ['57', json({ code: 57 }, 401), { reason: 'credentials_refused' }],
    ['57 with 400', json({ code: 57 }, 400), { reason: 'credentials_refused' }],
    ['14', json({ code: 14 }, 401), { reason: 'credentials_refused' }],
    ['6041', json({ code: 6041 }, 400), { reason: 'company_not_found' }],
    ['500', json({ code: 1000 }, 500), { reason: 'platform_unavailable' }],
    ['400', json({ code: 2 }, 400), { reason: 'reply_not_understood' }],
    [
      'a code with 200',
      json({ ...organizationsReply(), code: 9 }),
      { reason: 'reply_not_understood' },
    ],
  ])('answers %s', async (_title, reply, expected) => {
    server.reply = reply;
    expect(await failureOf(platform.company(access))).toEqual(expected);
    expect(await failureOf(platform.accountPage(access, null))).toEqual(expected);
  });
});
