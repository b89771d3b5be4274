import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Platform, PlatformFailure } from '#shared/platforms/platform.ts';
import { createQuickBooks, quickBooksHosts } from '#shared/platforms/quickbooks.ts';
import { type FakeReply, startFakeServer } from '../../support/servers/fake-server.ts';

const realmId = '9341452913580264';
const access = { companyId: realmId, dataCenter: null, accessToken: 'Secret-Access' };
const client = { clientId: 'ledger', clientSecret: 'Secret-Client' };
const basic = `Basic ${Buffer.from('ledger:Secret-Client').toString('base64')}`;
const redirectUri = 'https://ledger.example/oauth/platform_b/callback';

let server: Awaited<ReturnType<typeof startFakeServer>>;
let platform: Platform;

beforeAll(async () => {
  server = await startFakeServer();
  platform = createQuickBooks(
    { ...client, baseUrlOverride: server.url },
    quickBooksHosts.production,
  );
});
afterAll(() => server.stop());
beforeEach(() => {
  server.requests.length = 0;
});

const answerWith = (body: unknown, more: Omit<FakeReply, 'body'> = {}): void => {
  server.reply = { body: body === '' ? '' : JSON.stringify(body), ...more };
};

/** What was asked for: method, host with path, what its query says, and what was sent. */
const asked = () =>
  server.requests.map(({ method, path = '', headers, body }) => {
    const { pathname, searchParams } = new URL(path, server.url);
    const { authorization, accept, 'content-type': type } = headers;
    const query = Object.fromEntries(searchParams);
    return { call: `${method} ${pathname}`, query, authorization, accept, type, body };
  });

const read = (path: string, query: Record<string, string> = {}) => ({
  call: `GET /quickbooks.api.intuit.com/v3/company/${realmId}${path}`,
  query: { ...query, minorversion: '75' },
  authorization: 'Bearer Secret-Access',
  accept: 'application/json',
  type: undefined,
  body: '',
});

const tokenRequest = (body: string) => ({
  call: 'POST /oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
  query: {},
  authorization: basic,
  accept: 'application/json',
  type: 'application/x-www-form-urlencoded;charset=UTF-8',
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
  const { reason, retryAfterSeconds } = error;
  return retryAfterSeconds === undefined ? { reason } : { reason, retryAfterSeconds };
};

const tokenReply = {
  token_type: 'bearer',
  access_token: 'Secret-Access',
  refresh_token: 'Secret-Refresh',
  expires_in: 3600,
  x_refresh_token_expires_in: 8726400,
};
const tokens = {
  accessToken: 'Secret-Access',
  refreshToken: 'Secret-Refresh',
  expiresInSeconds: 3600,
};
const companyReply = {
  CompanyInfo: { CompanyName: ' Alder Software Inc. ', LegalName: 'Alder', Id: '1' },
  Preferences: { CurrencyPrefs: { HomeCurrency: { value: 'CAD' }, MultiCurrencyEnabled: true } },
};
const company = {
  companyId: realmId,
  dataCenter: null,
  name: 'Alder Software Inc.',
  currency: 'CAD',
};

describe('an authorization', () => {
  test('asks for consent at the app center, with the parameters of RFC 6749', () => {
    const adapter = createQuickBooks(client, quickBooksHosts.production);
    const url = new URL(adapter.authorizationUrl({ redirectUri, state: 'State' }));
    expect(url.origin + url.pathname).toBe('https://appcenter.intuit.com/connect/oauth2');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'ledger',
      redirect_uri: redirectUri,
      scope: 'com.intuit.quickbooks.accounting',
      state: 'State',
    });
  });

  test('trades the code for tokens, and reads the company that the callback names', async () => {
    answerWith({ ...tokenReply, ...companyReply });
    const callback = new URLSearchParams({ code: 'Secret-Code', state: 'State', realmId });
    const connected = await platform.connect({ code: 'Secret-Code', redirectUri, callback });
    expect(connected).toEqual({ tokens, company });
    const [first, ...others] = asked();
    const redirect = encodeURIComponent(redirectUri);
    expect(first).toEqual(
      tokenRequest(`grant_type=authorization_code&code=Secret-Code&redirect_uri=${redirect}`),
    );
    expect(others).toHaveLength(2);
    expect(others).toEqual(
      expect.arrayContaining([read(`/companyinfo/${realmId}`), read('/preferences')]),
    );
  });

  test.each(['', 'realmId=', 'realmId=12a', 'realmId=..', 'realmId=1%2F2', 'realmid=12'])(
    'finds no company where the callback names none: "%s"',
    async (query) => {
      const callback = new URLSearchParams(query);
      const failing = platform.connect({ code: 'Secret-Code', redirectUri, callback });
      expect(await failureOf(failing)).toEqual({ reason: 'company_not_found' });
      expect(asked()).toEqual([]);
    },
  );

  test('is refreshed with what the reply holds, be it the token that was sent', async () => {
    answerWith({ ...tokenReply, access_token: 'Secret-Next' });
    const held = { refreshToken: 'Secret-Refresh', dataCenter: null };
    expect(await platform.refresh(held)).toEqual({ ...tokens, accessToken: 'Secret-Next' });
    expect(asked()).toEqual([
      tokenRequest('grant_type=refresh_token&refresh_token=Secret-Refresh'),
    ]);
  });
});

const disconnect = () => platform.disconnect({ ...access, refreshToken: 'Secret-Refresh' });

describe('the end of an access', () => {
  test.each<[string, FakeReply]>([
    ['is asked for with the refresh token', { body: '' }],
    ['is reached where the token is dead already', { status: 400, body: '' }],
    ['is reached where it is no grant', { status: 400, body: '{"error":"invalid_grant"}' }],
  ])('%s', async (_title, reply) => {
    server.reply = reply;
    expect(await disconnect()).toBeUndefined();
    expect(asked()).toEqual([
      {
        call: 'POST /developer.api.intuit.com/v2/oauth2/tokens/revoke',
        query: {},
        authorization: basic,
        accept: 'application/json',
        type: 'application/json',
        body: '{"token":"Secret-Refresh"}',
      },
    ]);
  });
});

const refresh = () => platform.refresh({ refreshToken: 'Secret-Refresh', dataCenter: null });
const connect = () =>
  platform.connect({
    code: 'Secret-Code',
    redirectUri,
    callback: new URLSearchParams({ realmId }),
  });
const readCompany = () => platform.company(access);

const throttled = {
  fault: {
    error: [{ message: 'message=ThrottleExceeded; errorCode=003001', detail: null, code: '3001' }],
    type: 'SERVICE',
  },
};
const faultOf = (code: string) => ({
  Fault: { Error: [{ Message: 'Secret', Detail: 'Secret', code }], type: 'Any' },
});
const lowerFaultOf = (code: string) => ({
  warnings: null,
  fault: { error: [{ message: 'Secret', detail: null, code, element: null }], type: 'SERVICE' },
});
const unavailable = { reason: 'platform_unavailable' };
const refused = { reason: 'credentials_refused' };
const notUnderstood = { reason: 'reply_not_understood' };
const wait = (retryAfterSeconds: number) => ({ reason: 'rate_limited', retryAfterSeconds });
const soon = { 'Retry-After': '7' };

describe('a failure', () => {
  test.each<[string, () => Promise<unknown>, FakeReply & { json?: unknown }, object]>([
    [
      'a bad code',
      connect,
      { status: 400, json: { error: 'invalid_grant' } },
      { reason: 'code_refused' },
    ],
    ['a dead refresh token', refresh, { status: 400, json: { error: 'invalid_grant' } }, refused],
    ['a client unknown', refresh, { status: 401, json: { error: 'invalid_client' } }, unavailable],
    ['a client unknown, in no words', refresh, { status: 401 }, unavailable],
    ['a client locked out', refresh, { status: 403 }, unavailable],
    ['too many refreshes', refresh, { status: 429 }, wait(60)],
    ['too many refreshes for some time', refresh, { status: 429, headers: soon }, wait(7)],
    ['an end not reached: client unknown', disconnect, { status: 401 }, unavailable],
    ['an end not reached: too many calls', disconnect, { status: 429 }, wait(60)],
    ['an end not reached: no service', disconnect, { status: 503 }, unavailable],
    ['a dead token', readCompany, { status: 401, json: lowerFaultOf('3200') }, refused],
    ['a dead token, in no words', readCompany, { status: 401 }, refused],
    [
      'a dead token, whatever the status',
      readCompany,
      { status: 400, json: faultOf('3200') },
      refused,
    ],
    [
      'a token for another company, by its old words',
      readCompany,
      { status: 401, json: faultOf('100') },
      refused,
    ],
    [
      'a token for another company',
      readCompany,
      { status: 403, json: lowerFaultOf('003100') },
      { reason: 'company_not_found' },
    ],
    [
      'a token for another company, by the API',
      readCompany,
      { status: 403, json: faultOf('3100') },
      { reason: 'company_not_found' },
    ],
    ['a refusal without words', readCompany, { status: 403 }, refused],
    ['too many calls', readCompany, { status: 429, json: throttled }, wait(60)],
    [
      'too many calls for some time',
      readCompany,
      { status: 429, json: throttled, headers: soon },
      wait(7),
    ],
    ['too many calls, in no words', readCompany, { status: 429 }, wait(60)],
    [
      'too many calls, whatever the status',
      readCompany,
      { status: 403, json: faultOf('003001') },
      wait(60),
    ],
    ['a wish to try again', readCompany, { status: 400, json: faultOf('6000') }, unavailable],
    ['a failure of the system', readCompany, { status: 400, json: faultOf('10000') }, unavailable],
    ['a failure in no words', readCompany, { status: 502 }, unavailable],
    [
      'a query that is not read',
      readCompany,
      { status: 400, json: faultOf('4000') },
      notUnderstood,
    ],
    [
      'a fault that nobody knows',
      readCompany,
      { json: { ...faultOf('4321'), ...companyReply } },
      notUnderstood,
    ],
  ])('%s', async (_title, call, { json, ...reply }, expected) => {
    server.reply = { body: json === undefined ? '' : JSON.stringify(json), ...reply };
    expect(await failureOf(call())).toEqual(expected);
  });
});

describe('a company', () => {
  test.each<['quickbooks' | 'quickbooks_sandbox', keyof typeof quickBooksHosts]>([
    ['quickbooks', 'production'],
    ['quickbooks_sandbox', 'sandbox'],
  ])('is read by %s from the host of its own', async (adapter, host) => {
    answerWith(companyReply);
    const options = { ...client, baseUrlOverride: server.url };
    const other = createQuickBooks(options, quickBooksHosts[host]);
    expect(other.adapter).toBe(adapter);
    expect(await other.company(access)).toEqual(company);
    const base = `GET /${quickBooksHosts[host]}/v3/company/${realmId}`;
    expect(
      asked()
        .map(({ call }) => call)
        .sort(),
    ).toEqual([`${base}/companyinfo/${realmId}`, `${base}/preferences`]);
  });

  test.each(['', '..', 'unknown', `${realmId}/..`, `${realmId}?`, '%31', '1'.repeat(31)])(
    'is not asked for by an id that is none: "%s"',
    async (companyId) => {
      for (const failing of [
        platform.company({ ...access, companyId }),
        platform.accountPage({ ...access, companyId }, null),
        platform.journalPage({ ...access, companyId }, null),
      ]) {
        expect(await failureOf(failing)).toEqual({ reason: 'company_not_found' });
      }
      expect(asked()).toEqual([]);
    },
  );
});

describe('a reply', () => {
  const { CompanyInfo, Preferences } = companyReply;
  const inCurrency = (value: string) => ({ CurrencyPrefs: { HomeCurrency: { value } } });

  test.each<[string, () => Promise<unknown>, unknown]>([
    ['company without a name', readCompany, { CompanyInfo: { CompanyName: ' ' }, Preferences }],
    ['company without preferences', readCompany, { CompanyInfo }],
    ['currency that is none', readCompany, { CompanyInfo, Preferences: inCurrency('XXX') }],
    ['token without an end', refresh, { ...tokenReply, expires_in: 0 }],
    ['token of another kind', refresh, { ...tokenReply, token_type: 'mac' }],
    ['refreshed token without the next', refresh, { ...tokenReply, refresh_token: '' }],
    ['token reply that is empty', connect, {}],
    ['token reply that is no JSON', connect, ''],
  ])('that is a %s is not understood', async (_title, call, body) => {
    answerWith(body);
    expect(await failureOf(call())).toEqual(notUnderstood);
  });
});
