import { describe, expect, test } from 'vitest';
import { createZoho } from '#shared/platforms/zoho/zoho.ts';
import { zohoDataCenters, zohoHosts } from '#shared/platforms/zoho/zoho-data-centers.ts';
import {
  json,
  openAdapter,
  reasonOf,
  redirectUri,
  status,
  tokenReply,
  tokens as usualTokens,
} from '../../../support/harnesses/adapters.ts';
import { failureOf } from '../../../support/readers/platform-failures.ts';
import type { FakeReply } from '../../../support/servers/fake-server.ts';

const tokens = { ...usualTokens, reconnectInSeconds: null };

const companyId = '60001234567';
const access = { companyId, dataCenter: 'eu', accessToken: 'Secret-Access' };

const { platform, openAnother, replyWith, sentRequests } = await openAdapter(createZoho);
const firstPage = { cursor: null, rows: 200, modifiedSince: null, timeoutMilliseconds: 2_000 };

const tokenRequest = (accounts: string, form: object) => ({
  call: `POST /${accounts}/oauth/v2/token`,
  form: { ...form, client_id: 'ledger', client_secret: 'Secret-Client' },
});
const organizationsRequest = (api: string) => ({
  call: `GET /${api}/books/v3/organizations`,
  authorization: 'Zoho-oauthtoken Secret-Access',
});

const zohoReply = { ...tokenReply, api_domain: 'https://www.zohoapis.com' };
const organization = { organization_id: companyId, name: 'Acme', currency_code: 'EUR' };
const other = (organization_id: string, more = {}) => ({
  ...organization,
  organization_id,
  ...more,
});
const organizationsReply = (...organizations: object[]) => ({ code: 0, organizations });

const connectWith = (callback: Record<string, string> = {}) =>
  platform.connect({
    code: '1000.Secret-Code',
    codeVerifier: 'Secret-Verifier',
    redirectUri,
    callback: new URLSearchParams(callback),
  });
const server = (url: string) => ({ 'accounts-server': url });

describe('an authorization', () => {
  test.each(zohoDataCenters)('ends at the hosts of the data center %s', async (dataCenter) => {
    const { accounts, api } = zohoHosts[dataCenter];
    const given = { ...zohoReply, api_domain: `https://${api}` };
    replyWith(json(given), json(organizationsReply(organization)));
    const callback = { location: dataCenter, ...server(`https://${accounts}`) };
    expect(await connectWith(callback)).toEqual({
      tokens,
      choices: [{ companyId, dataCenter, name: 'Acme' }],
    });
    const form = { grant_type: 'authorization_code', code: '1000.Secret-Code' };
    const verifier = { code_verifier: 'Secret-Verifier' };
    expect(sentRequests()).toEqual([
      tokenRequest(accounts, { ...form, redirect_uri: redirectUri, ...verifier }),
      organizationsRequest(api),
    ]);
  });

  test.each<[string, Record<string, string>, string]>([
    ['by nothing', {}, 'us'],
    ['by its name alone', { location: 'in' }, 'in'],
    ['by its server alone', server('https://accounts.zohocloud.ca'), 'ca'],
  ])('is for a data center that the callback names %s', async (_title, callback, dataCenter) => {
    const { api_domain: _, ...withoutDomain } = zohoReply;
    replyWith(json(withoutDomain), json(organizationsReply(organization)));
    expect(await connectWith(callback)).toMatchObject({ choices: [{ dataCenter }] });
  });

  const known = 'https://accounts.zoho.eu';
  test.each<[string, Record<string, string>, string]>([
    ['an unknown name', { location: 'sg' }, '"sg"'],
    ['a name in capitals', { location: 'EU' }, '"EU"'],
    ['the name of an object method', { location: 'toString' }, '"toString"'],
    [
      'a long name with an invisible character',
      { location: `\u202ex\n${'y'.repeat(99)}` },
      `"x ${'y'.repeat(58)}"`,
    ],
    ['an unknown server', server('https://zoho.example'), '"https://zoho.example"'],
    ['a server without encryption', server('http://accounts.zoho.eu'), '"http://accounts.zoho.eu"'],
    ['a server after a user name', server(`${known}@xx.example`), `"${known}@xx.example"`],
    [
      'the server of another data center',
      { location: 'in', ...server(known) },
      `"in" at "${known}"`,
    ],
  ])('makes no call if the callback has %s', async (_title, callback, name) => {
    const { reason, cause } = await failureOf(connectWith(callback), ['Secret']);
    expect([reason, cause]).toEqual(['reply_not_understood', `unknown data center: ${name}`]);
    expect(sentRequests()).toEqual([]);
  });

  test('is for every organization of the user that is active and can be read', async () => {
    const organizations = [
      other('30', { name: 'Beta', currency_code: '' }),
      other('10', { is_default_org: true, is_org_active: false }),
      other('20', { is_org_active: true }),
      other('../x'),
      other('40', { name: ' ' }),
    ];
    replyWith(json(zohoReply), json(organizationsReply(...organizations)));
    const { choices } = await connectWith();
    expect(choices.map((it) => [it.companyId, it.name])).toEqual([
      ['30', 'Beta'],
      ['20', 'Acme'],
    ]);
  });

  const elsewhere = (api_domain: string) => [{ ...zohoReply, api_domain }];
  const ofOne = (change: object) => [zohoReply, organizationsReply({ ...organization, ...change })];
  test.each<[string, unknown[], string]>([
    ['the user has no organization', [zohoReply, organizationsReply()], 'company_not_found'],
    ['its only organization is not active', ofOne({ is_org_active: false }), 'company_not_found'],
    ['the reply has no list of organizations', [zohoReply, { code: 0 }], 'reply_not_understood'],
    [
      'the API has an unknown host',
      elsewhere('https://www.zohoapis.com.xx'),
      'reply_not_understood',
    ],
    [
      'the API is of another data center',
      elsewhere('https://www.zohoapis.eu'),
      'reply_not_understood',
    ],
  ])('fails if %s', async (_title, replies, reason) => {
    replyWith(...replies.map((reply) => json(reply)));
    expect(await reasonOf(connectWith())).toBe(reason);
    expect(sentRequests()).toHaveLength(replies.length);
  });
});

describe('the token endpoint', () => {
  const refresh = () => platform.refresh({ ...tokens, dataCenter: 'in' });

  test('keeps the refresh token unless the reply has a new one', async () => {
    const api_domain = 'https://www.zohoapis.in';
    const { refresh_token: _, ...renewed } = { ...zohoReply, access_token: 'new', api_domain };
    replyWith(json(renewed), json({ ...renewed, refresh_token: 'other' }));
    expect([await refresh(), await refresh()]).toEqual([
      { ...tokens, accessToken: 'new' },
      { ...tokens, accessToken: 'new', refreshToken: 'other' },
    ]);
    const form = { grant_type: 'refresh_token', refresh_token: 'Secret-Refresh' };
    expect(sentRequests()[0]).toEqual(tokenRequest('accounts.zoho.in', form));
  });

  test('is not called for an unknown data center', async () => {
    const failing = platform.refresh({ ...tokens, dataCenter: 'accounts.example' });
    expect(await reasonOf(failing)).toBe('company_not_found');
    expect(sentRequests()).toEqual([]);
  });

  const error = (code: string, httpStatus = 200) => status(httpStatus, { error: code });
  const throttled = { error_description: 'too many requests', error: 'Access Denied' };

  test.each<[string, FakeReply, string]>([
    ['invalid_code', error('invalid_code'), 'refused'],
    ['invalid_code with 400', error('invalid_code', 400), 'refused'],
    ['invalid_grant', error('invalid_grant'), 'refused'],
    ['invalid_client', error('invalid_client'), 'platform_unavailable'],
    ['a page with 403', { status: 403, body: '<html>' }, 'platform_unavailable'],
    ['an unknown error with 401', error('general_error', 401), 'platform_unavailable'],
    ['invalid_redirect_uri', error('invalid_redirect_uri'), 'platform_unavailable'],
    ['too many tokens', json(throttled), 'rate_limited 600'],
    ['too many tokens, with 400', status(400, throttled), 'rate_limited 600'],
    ['an error of another kind', error('1000.Secret'), 'reply_not_understood'],
  ])('answers %s', async (_title, answer, reason) => {
    replyWith(answer);
    const refused = (by: string) => (reason === 'refused' ? by : reason);
    expect(await reasonOf(refresh())).toBe(refused('credentials_refused'));
    expect(await reasonOf(connectWith())).toBe(refused('code_refused'));
  });
});

describe('a disconnection', () => {
  const disconnect = () => platform.disconnect({ ...access, ...tokens });

  test.each<[string, FakeReply]>([
    ['400 and a page', { status: 400, body: '<html>' }],
    ['invalid_code', json({ error: 'invalid_code' })],
  ])('revokes the refresh token, or finds it invalid after %s', async (_title, reply) => {
    replyWith(reply);
    expect(await disconnect()).toBeUndefined();
    const token = 'Secret-Refresh';
    const call = 'POST /accounts.zoho.eu/oauth/v2/token/revoke';
    expect(sentRequests()).toEqual([{ call, query: { token }, form: { token } }]);
  });

  test.each<[string, FakeReply, string]>([
    ['an error of another kind', json({ error: 'general' }), 'reply_not_understood'],
    ['a page', { body: '<html>' }, 'reply_not_understood'],
  ])('fails after %s', async (_title, reply, expected) => {
    replyWith(reply);
    expect(await reasonOf(disconnect())).toBe(expected);
  });
});

describe('a company', () => {
  test('is in the first data center by default', async () => {
    replyWith(json(organizationsReply(organization)));
    await platform.company({ ...access, dataCenter: null });
    expect(sentRequests()).toEqual([organizationsRequest('www.zohoapis.com')]);
  });

  test.each<[unknown, string]>([
    [0, '12-31'],
    [3, '03-31'],
    ['April', '03-31'],
    [12, '12-31'],
    [null, '12-31'],
  ])('whose fiscal year starts with %j ends it on %s', async (month, financialYearEnd) => {
    replyWith(json(organizationsReply({ ...organization, fiscal_year_start_month: month })));
    expect(await platform.company(access)).toMatchObject({ name: 'Acme', financialYearEnd });
  });

  test.each<[string, object, string]>([
    ['one that is not active', { is_org_active: false }, 'company_not_found'],
    ['one with an unknown currency', { currency_code: 'XXX' }, 'reply_not_understood'],
    ['one without a name', { name: undefined }, 'reply_not_understood'],
  ])('is not found if the user has %s', async (_title, changes, reason) => {
    replyWith(json(organizationsReply({}, other(companyId, changes))));
    expect(await reasonOf(platform.company(access))).toBe(reason);
  });
});

describe('the API', () => {
  test.each<[string, FakeReply, string]>([
    ['44', status(429, { code: 44 }), 'rate_limited 60'],
    ['45', status(429, { code: 45 }), 'rate_limited 3600'],
    ['1070', status(429, { code: 1070 }), 'rate_limited 10'],
    ['429 alone', status(429, {}), 'rate_limited 60'],
    ['57', status(401, { code: 57 }), 'credentials_refused'],
    ['14', status(401, { code: 14 }), 'credentials_refused'],
    ['6041', status(400, { code: 6041 }), 'company_not_found'],
    ['103001', status(400, { code: 103_001 }), 'subscription_lapsed'],
    ['400', status(400, { code: 2 }), 'reply_not_understood'],
    ['a code with 200', json({ ...organizationsReply(), code: 9 }), 'reply_not_understood'],
  ])('answers %s', async (_title, reply, expected) => {
    replyWith(reply);
    expect(await reasonOf(platform.company(access))).toBe(expected);
    expect(await reasonOf(platform.accountPage(access, firstPage))).toBe(expected);
  });

  test('is quoted with its code and message', async () => {
    const message = 'Your trial of Zoho Books is over. Secret-Access';
    replyWith(status(400, { code: 103_001, message }));
    const { platformError } = await failureOf(platform.company(access), ['Secret']);
    const expected = 'Your trial of Zoho Books is over. …';
    expect(platformError).toMatchObject({ code: '103001', message: expected });
  });

  test('is not called for a company before its replies allow it', async () => {
    const headers = { 'X-Rate-Limit-Limit': '100', 'X-Rate-Limit-Remaining': '0' };
    const page = { page: 1, has_more_page: false };
    const reply = { code: 0, chartofaccounts: [], page_context: page };
    replyWith(status(200, reply, { ...headers, 'X-Rate-Limit-Reset': '30' }));
    const another = openAnother();
    await another.accountPage(access, firstPage);
    const wait = another.waitMilliseconds(access);
    expect([wait > 25_000, wait <= 30_000]).toEqual([true, true]);
    expect(another.waitMilliseconds({ ...access, companyId: '7' })).toBe(0);
  });
});
