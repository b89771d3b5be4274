import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Platform, PlatformFailure } from '#shared/platforms/platform.ts';
import { createXero } from '#shared/platforms/xero.ts';
import { type FakeReply, startFakeServer } from '../../support/servers/fake-server.ts';

const tenantId = 'fe79f7dd-b6d4-4a92-ba7b-538af6289c58';
const otherTenantId = 'b2c885a9-4bb9-4a00-9b6e-6c2bf60b1a2b';
const connectionId = '7cb59f93-2964-421d-bb5e-a0f7a4572a44';
const consentId = '894f5c8c-3938-416d-966e-8f28fa24d358';
const access = { companyId: tenantId, dataCenter: null, accessToken: 'Secret-Access' };
const client = { clientId: 'ledger', clientSecret: 'Secret-Client' };
const redirectUri = 'https://ledger.example/oauth/platform_a/callback';

let server: Awaited<ReturnType<typeof startFakeServer>>;
let platform: Platform;

beforeAll(async () => {
  server = await startFakeServer();
  platform = createXero({ ...client, baseUrlOverride: server.url, timeoutMilliseconds: 2_000 });
});
afterAll(() => server.stop());
beforeEach(() => {
  server.requests.length = 0;
});

const json = (body: unknown, more: Omit<FakeReply, 'body'> = {}): FakeReply => ({
  ...more,
  body: JSON.stringify(body),
});

/** Each request gets the next of these replies; its body is what the server reads last. */
const replyInTurn = (...replies: FakeReply[]): void => {
  const left = [...replies];
  server.reply = {
    get status() {
      return left[0]?.status ?? 200;
    },
    get headers() {
      return left[0]?.headers ?? {};
    },
    get body() {
      return left.shift()?.body ?? '';
    },
  };
};

/** What was asked for, without the headers that fetch adds. */
const asked = () =>
  server.requests.map(({ method, path, headers, body }) => ({
    call: `${method} ${path}`,
    authorization: headers.authorization,
    tenant: headers['xero-tenant-id'],
    body,
  }));

const withToken = (call: string, tenant?: string) => ({
  call,
  authorization: 'Bearer Secret-Access',
  tenant,
  body: '',
});

const tokenRequest = (body: string) => ({
  call: 'POST /identity.xero.com/connect/token',
  authorization: `Basic ${Buffer.from('ledger:Secret-Client').toString('base64')}`,
  tenant: undefined,
  body,
});

/** What a call fails with, after a look for what is secret. */
const failureOf = async (failing: Promise<unknown>) => {
  const error = await failing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PlatformFailure)) throw new Error(`no PlatformFailure: ${inspect(error)}`);
  const everything = inspect(error, { depth: null, showHidden: true }) + JSON.stringify(error);
  expect(everything).not.toContain('Secret');
  const { reason, retryAfterSeconds, cause } = error;
  const code = / was answered (.*)$/.exec((cause as Error | undefined)?.message ?? '')?.[1];
  return { reason, retryAfterSeconds, code };
};

const tokenReply = {
  token_type: 'Bearer',
  access_token: 'Secret-Access',
  refresh_token: 'Secret-Refresh',
  expires_in: 1800,
  scope: 'offline_access accounting.settings.read accounting.manualjournals.read',
};
const tokens = {
  accessToken: 'Secret-Access',
  refreshToken: 'Secret-Refresh',
  expiresInSeconds: 1800,
};
const connection = {
  id: connectionId,
  authEventId: consentId,
  tenantId,
  tenantType: 'ORGANISATION',
  tenantName: 'Acme',
  createdDateUtc: '2019-12-07T18:46:19.5165400',
  updatedDateUtc: '2019-12-07T18:46:19.5187840',
};
const organisationReply = (more: object = {}) => ({
  Status: 'OK',
  Organisations: [{ Name: ' Acme Works ', BaseCurrency: 'NZD', APIKey: 'Secret-Key', ...more }],
});
const company = { companyId: tenantId, dataCenter: null, name: 'Acme Works', currency: 'NZD' };

const connect = () =>
  platform.connect({ code: 'Secret-Code', redirectUri, callback: new URLSearchParams() });

describe('an authorization', () => {
  test('asks for consent with the parameters of RFC 6749 section 4.1.1', () => {
    const url = new URL(createXero(client).authorizationUrl({ redirectUri, state: 'State' }));
    expect(url.origin + url.pathname).toBe('https://login.xero.com/identity/connect/authorize');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'ledger',
      redirect_uri: redirectUri,
      scope: 'offline_access accounting.settings.read accounting.manualjournals.read',
      state: 'State',
    });
  });

  test('trades the code for tokens, and reads the organisation that was connected', async () => {
    replyInTurn(json(tokenReply), json([connection]), json(organisationReply()));
    expect(await connect()).toEqual({ tokens, company });
    expect(asked()).toEqual([
      tokenRequest(
        `grant_type=authorization_code&code=Secret-Code` +
          `&redirect_uri=${encodeURIComponent(redirectUri)}`,
      ),
      withToken('GET /api.xero.com/connections'),
      withToken('GET /api.xero.com/api.xro/2.0/Organisation', tenantId),
    ]);
  });

  const jwtOf = (claims: unknown) =>
    `Secret.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.Secret`;

  test.each<[string, string, string]>([
    ['a consent', jwtOf({ authentication_event_id: consentId }), `?authEventId=${consentId}`],
    ['what is no id', jwtOf({ authentication_event_id: '../Secret' }), ''],
    ['nothing', jwtOf({ sub: 'Secret' }), ''],
    ['what is no JSON', 'Secret.e30x.Secret', ''],
  ])(
    'looks among the connections of an access token that names %s',
    async (_title, token, query) => {
      replyInTurn(
        json({ ...tokenReply, access_token: token }),
        json([connection]),
        json(organisationReply()),
      );
      expect(await connect()).toMatchObject({ company });
      expect(asked()[1]).toMatchObject({ call: `GET /api.xero.com/connections${query}` });
    },
  );

  test('takes the organisation that was connected last, and no practice', async () => {
    const older = { ...connection, tenantId: otherTenantId };
    const newer = { ...connection, updatedDateUtc: '2019-12-07T18:46:20.0000000' };
    const practice = { ...newer, tenantType: 'PRACTICE', updatedDateUtc: '2020-01-01T00:00:00' };
    replyInTurn(json(tokenReply), json([older, newer, practice]), json(organisationReply()));
    expect(await connect()).toMatchObject({ company });
    replyInTurn(json(tokenReply), json([newer, older]), json(organisationReply()));
    expect(await connect()).toMatchObject({ company });
  });

  test.each<[string, unknown]>([
    ['nothing', []],
    ['a practice only', [{ ...connection, tenantType: 'PRACTICE' }]],
  ])('that connected %s finds no company', async (_title, connections) => {
    replyInTurn(json(tokenReply), json(connections));
    expect(await failureOf(connect())).toMatchObject({ reason: 'company_not_found' });
  });
});

describe('tokens', () => {
  test('are refreshed with the refresh token', async () => {
    replyInTurn(json(tokenReply));
    expect(await platform.refresh({ refreshToken: 'Secret+Old', dataCenter: null })).toEqual(
      tokens,
    );
    expect(asked()).toEqual([tokenRequest('grant_type=refresh_token&refresh_token=Secret%2BOld')]);
  });

  const refresh = () => platform.refresh({ refreshToken: 'Secret-Old', dataCenter: null });

  test.each<[string, () => Promise<unknown>, FakeReply, object]>([
    [
      'a code that is not good',
      connect,
      json({ error: 'invalid_grant' }, { status: 400 }),
      { reason: 'code_refused', code: '400 invalid_grant' },
    ],
    [
      'a refresh token that is not good',
      refresh,
      json({ error: 'invalid_grant' }, { status: 400 }),
      { reason: 'credentials_refused', code: '400 invalid_grant' },
    ],
    [
      'a client that is not known, which is no fault of the tenant',
      refresh,
      json({ error: 'invalid_client' }, { status: 400 }),
      { reason: 'platform_unavailable', code: '400 invalid_client' },
    ],
    [
      'a client that is refused without a word',
      refresh,
      { status: 401, body: '' },
      { reason: 'platform_unavailable', code: '401' },
    ],
    [
      'too many calls',
      refresh,
      json({}, { status: 429, headers: { 'Retry-After': '7' } }),
      { reason: 'rate_limited', code: '429', retryAfterSeconds: 7 },
    ],
    [
      'a token of another kind',
      refresh,
      json({ ...tokenReply, token_type: 'mac' }),
      { reason: 'reply_not_understood' },
    ],
    [
      'no refresh token, since offline access was not granted',
      connect,
      json({ ...tokenReply, refresh_token: undefined }),
      { reason: 'reply_not_understood' },
    ],
  ])('are not had for %s', async (_title, use, reply, expected) => {
    replyInTurn(reply);
    expect(await failureOf(use())).toMatchObject(expected);
    expect(server.requests).toHaveLength(1);
  });
});

const gate = (status: number, Title: string, Detail: string) =>
  json(
    { Type: null, Title, Status: status, Detail, Instance: consentId, Extensions: {} },
    { status },
  );
const forbidden = gate(403, 'Forbidden', 'AuthenticationUnsuccessful');
const limited = (headers: Record<string, string>) => json({}, { status: 429, headers });

describe('a company', () => {
  test('is known by one id, however it is written', async () => {
    replyInTurn(json(organisationReply()));
    const companyId = tenantId.toUpperCase();
    expect(await platform.company({ ...access, companyId })).toEqual(company);
    expect(asked()).toEqual([withToken('GET /api.xero.com/api.xro/2.0/Organisation', tenantId)]);
  });

  test.each(['', 'acme', '../connections', `${tenantId}\r\nX: 1`, `${tenantId}0`])(
    'cannot have the id "%s", and nothing is sent',
    async (companyId) => {
      const wrong = { ...access, companyId };
      for (const failing of [
        platform.company(wrong),
        platform.accountPage(wrong, null),
        platform.journalPage(wrong, null),
        platform.disconnect({ ...wrong, refreshToken: 'Secret-Refresh' }),
      ]) {
        expect(await failureOf(failing)).toMatchObject({ reason: 'company_not_found' });
      }
      expect(server.requests).toEqual([]);
    },
  );

  test.each<[string, object]>([
    ['a currency that is none', organisationReply({ BaseCurrency: 'XXX' })],
    ['no name', organisationReply({ Name: ' ' })],
    ['no organisation at all', { Organisations: [] }],
  ])('with %s is not understood', async (_title, reply) => {
    replyInTurn(json(reply));
    expect(await failureOf(platform.company(access))).toMatchObject({
      reason: 'reply_not_understood',
    });
  });
});

describe('a tenant that is refused', () => {
  test('was not found by who asked for the company', async () => {
    replyInTurn(forbidden);
    expect(await failureOf(platform.company(access))).toMatchObject({
      reason: 'company_not_found',
      code: '403 AuthenticationUnsuccessful',
    });
  });

  test('is an access that was taken back, where it was good before', async () => {
    for (const read of [platform.accountPage, platform.journalPage]) {
      replyInTurn(forbidden);
      expect(await failureOf(read(access, null))).toMatchObject({
        reason: 'credentials_refused',
        code: '403 AuthenticationUnsuccessful',
      });
    }
  });
});

describe('a refusal', () => {
  test.each<[string, FakeReply, object]>([
    [
      'of a token that has ended',
      gate(401, 'Unauthorized', 'TokenExpired: token expired at 01/01/2026 00:00:00'),
      { reason: 'credentials_refused', code: '401 TokenExpired' },
    ],
    [
      'of a token without the scope',
      gate(401, 'Unauthorized', 'AuthorizationUnsuccessful'),
      { reason: 'credentials_refused', code: '401 AuthorizationUnsuccessful' },
    ],
    [
      'in the small letters of older replies',
      json({ title: 'Unauthorized', detail: 'AuthenticationUnsuccessful' }, { status: 401 }),
      { reason: 'credentials_refused', code: '401 AuthenticationUnsuccessful' },
    ],
    [
      'of something else than the tenant',
      { status: 403, body: '<h1>Forbidden</h1>' },
      { reason: 'credentials_refused', code: '403' },
    ],
    [
      'of the request itself',
      json({ ErrorNumber: 10, Type: 'ValidationException', Message: 'Secret' }, { status: 400 }),
      { reason: 'reply_not_understood', code: '400 ValidationException' },
    ],
    [
      'because Xero is out of order',
      gate(500, 'An error occurred', 'An error occurred in Xero.'),
      { reason: 'platform_unavailable', code: '500' },
    ],
    [
      'of one call too many in a minute, with the time to wait',
      limited({ 'X-Rate-Limit-Problem': 'Minute', 'Retry-After': '17' }),
      { reason: 'rate_limited', code: '429 minute', retryAfterSeconds: 17 },
    ],
    [
      'of one call too many in a day, with the time to wait',
      limited({ 'X-Rate-Limit-Problem': 'day', 'Retry-After': '66975' }),
      { reason: 'rate_limited', code: '429 day', retryAfterSeconds: 66_975 },
    ],
    [
      'of too many calls at once, which end soon',
      limited({ 'X-Rate-Limit-Problem': 'concurrent' }),
      { reason: 'rate_limited', code: '429 concurrent', retryAfterSeconds: 2 },
    ],
    [
      'of too many calls, in a word that is new',
      limited({ 'X-Rate-Limit-Problem': 'Secret' }),
      { reason: 'rate_limited', code: '429', retryAfterSeconds: undefined },
    ],
  ])('%s', async (_title, reply, expected) => {
    replyInTurn(reply);
    expect(await failureOf(platform.accountPage(access, null))).toMatchObject(expected);
    expect(server.requests).toHaveLength(1);
  });
});

describe('giving the access back', () => {
  const held = { ...access, refreshToken: 'Secret-Refresh' };
  const other = { ...connection, id: consentId, tenantId: otherTenantId };
  const list = withToken('GET /api.xero.com/connections');
  const deletion = withToken(`DELETE /api.xero.com/connections/${connectionId}`);

  test('deletes the connection of this company, and leaves the others', async () => {
    const own = { ...connection, tenantId: tenantId.toUpperCase() };
    replyInTurn(json([other, own]), { status: 204, body: '' });
    await platform.disconnect(held);
    expect(asked()).toEqual([list, deletion]);
  });

  test('is done where there is no such connection', async () => {
    replyInTurn(json([other]));
    await platform.disconnect(held);
    expect(asked()).toEqual([list]);
  });

  test('is done where the connection went in the meantime', async () => {
    replyInTurn(json([connection]), { status: 404, body: '' });
    await platform.disconnect(held);
    expect(asked()).toEqual([list, deletion]);
  });

  test.each<[string, FakeReply, string]>([
    ['Xero is out of order', { status: 500, body: '' }, 'platform_unavailable'],
    ['the token has ended', gate(401, 'Unauthorized', 'TokenExpired'), 'credentials_refused'],
  ])('fails where %s', async (_title, reply, reason) => {
    replyInTurn(json([connection]), reply);
    expect(await failureOf(platform.disconnect(held))).toMatchObject({ reason });
  });
});
