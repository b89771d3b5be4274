import { describe, expect, test } from 'vitest';
import { createQuickBooks, quickBooksHosts } from '#shared/platforms/quickbooks/quickbooks.ts';
import {
  basic,
  client,
  json,
  openAdapter,
  reasonOf,
  redirectUri,
  status,
  tokenReply,
  tokens,
} from '../../../support/harnesses/adapters.ts';
import { failureOf } from '../../../support/readers/platform-failures.ts';
import type { FakeReply } from '../../../support/servers/fake-server.ts';

const realmId = '9341452913580264';
const access = { companyId: realmId, dataCenter: null, accessToken: 'Secret-Access' };

const { server, platform, replyWith, sentRequests } = await openAdapter((options) =>
  createQuickBooks(options, quickBooksHosts.production),
);

const read = (path: string, host: string = quickBooksHosts.production) => ({
  call: `GET /${host}/v3/company/${realmId}${path}`,
  query: { minorversion: '75' },
  authorization: 'Bearer Secret-Access',
});
const inCurrency = (value: string) => ({ CurrencyPrefs: { HomeCurrency: { value } } });
const companyReply = {
  CompanyInfo: { CompanyName: ' Alder Software Inc. ', LegalName: 'Alder', Id: '1' },
  Preferences: inCurrency('CAD'),
};
const company = {
  companyId: realmId,
  dataCenter: null,
  name: 'Alder Software Inc.',
  currency: 'CAD',
  financialYearEnd: '12-31',
};

const connectWith = (callback: string) =>
  platform.connect({
    code: 'Secret-Code',
    codeVerifier: 'Secret-Verifier',
    redirectUri,
    callback: new URLSearchParams(callback),
  });
const refresh = () => platform.refresh({ refreshToken: 'Secret-Refresh', dataCenter: null });
const disconnect = () => platform.disconnect({ ...access, refreshToken: 'Secret-Refresh' });
const readCompany = () => platform.company(access);

describe('an authorization', () => {
  test.each<[string, unknown, number | null]>([
    ['in seconds', 156_032_154, 156_032_154],
    ['as nothing', 0, null],
    ['in words', 'soon', null],
  ])('requests the end of the consent, returned %s', async (_title, said, expected) => {
    replyWith(json({ ...tokenReply, x_refresh_token_hard_expires_in: said }));
    expect(await refresh()).toEqual({ ...tokens, reconnectInSeconds: expected });
    const { headers } = server.requests[0] ?? {};
    expect(headers?.['x-include-refresh-token-hard-expires-in']).toBe('true');
  });

  test.each(['', 'realmId=12a', 'realmId=..', 'realmId=1%2F2'])(
    'has no company with the callback query "%s"',
    async (query) => {
      expect(await reasonOf(connectWith(query))).toBe('company_not_found');
      expect(sentRequests()).toEqual([]);
    },
  );

  test.each<[string, FakeReply]>([
    ['ends if the token is already invalid', status(400)],
    ['ends if the grant is already invalid', status(400, { error: 'invalid_grant' })],
  ])('%s', async (_title, reply) => {
    replyWith(reply);
    expect(await disconnect()).toBeUndefined();
    expect(sentRequests()).toEqual([
      {
        call: 'POST /developer.api.intuit.com/v2/oauth2/tokens/revoke',
        authorization: basic,
        json: { token: 'Secret-Refresh' },
      },
    ]);
  });
});

const faultOf = (code: string) => ({
  Fault: { Error: [{ Message: 'Words', Detail: 'More of them', code }], type: 'Any' },
});
const lowerFaultOf = (code: string) => ({
  warnings: null,
  fault: { error: [{ message: 'Words', detail: null, code, element: null }], type: 'SERVICE' },
});
const throttled = lowerFaultOf('3001');
const { CompanyInfo, Preferences } = companyReply;

describe('a failure', () => {
  test.each<[string, () => Promise<unknown>, FakeReply, string]>([
    ['too many refreshes', refresh, status(429), 'rate_limited 60'],
    ['a disconnection with an unknown client', disconnect, status(401), 'platform_unavailable'],
    ['an expired token', readCompany, status(401, lowerFaultOf('3200')), 'credentials_refused'],
    [
      'a token of another company, in the older form',
      readCompany,
      status(401, faultOf('100')),
      'credentials_refused',
    ],
    [
      'a token of another company',
      readCompany,
      status(403, lowerFaultOf('003100')),
      'company_not_found',
    ],
    ['a lapsed subscription', readCompany, status(400, faultOf('6190')), 'subscription_lapsed'],
    ['the same with 403', readCompany, status(403, lowerFaultOf('007001')), 'subscription_lapsed'],
    ['too many calls', readCompany, status(429, throttled), 'rate_limited 60'],
    ['too many calls, with 403', readCompany, status(403, faultOf('003001')), 'rate_limited 60'],
    ['a request to retry', readCompany, status(400, faultOf('6000')), 'platform_unavailable'],
    ['a system failure', readCompany, status(400, faultOf('10000')), 'platform_unavailable'],
    ['an unreadable query', readCompany, status(400, faultOf('4000')), 'reply_not_understood'],
    [
      'an unknown fault with status 200',
      readCompany,
      json({ ...faultOf('4321'), ...companyReply }),
      'reply_not_understood',
    ],
  ])('%s', async (_title, call, reply, expected) => {
    replyWith(reply);
    expect(await reasonOf(call())).toBe(expected);
  });

  test.each<[string, () => Promise<unknown>, FakeReply, object]>([
    ['a fault', readCompany, status(400, faultOf('6000')), ['6000', 'Words: More of them']],
    ['a fault before the API', readCompany, status(401, lowerFaultOf('003200')), ['3200', 'Words']],
    [
      'a token’s failure',
      refresh,
      status(400, { error: 'invalid_grant', error_description: 'Used' }),
      ['invalid_grant', 'Used'],
    ],
  ])('contains the description of Intuit: %s', async (_title, call, reply, said) => {
    replyWith({ ...reply, headers: { intuit_tid: '1-5f0a' } });
    const { platformError } = await failureOf(call(), ['Secret']);
    const { code, message, traceId } = platformError ?? {};
    expect([code, message]).toEqual(said);
    expect(traceId).toBe('1-5f0a');
  });

  test.each<[string, () => Promise<unknown>, unknown]>([
    [
      'company without a name',
      readCompany,
      { CompanyInfo: { CompanyName: ' \u200b' }, Preferences },
    ],
    ['company without preferences', readCompany, { CompanyInfo }],
    ['currency that is unknown', readCompany, { CompanyInfo, Preferences: inCurrency('XXX') }],
  ])('is a reply with a %s', async (_title, call, body) => {
    replyWith(status(200, body));
    expect(await reasonOf(call())).toBe('reply_not_understood');
  });
});

describe('a company', () => {
  test.each<['quickbooks' | 'quickbooks_sandbox', keyof typeof quickBooksHosts]>([
    ['quickbooks', 'production'],
    ['quickbooks_sandbox', 'sandbox'],
  ])('is read by %s from its host', async (adapter, stage) => {
    replyWith(json(companyReply));
    const host = quickBooksHosts[stage];
    const other = createQuickBooks({ ...client, baseUrlOverride: server.url }, host);
    expect(other.adapter).toBe(adapter);
    expect(await other.company(access)).toEqual(company);
    const reads = [read(`/companyinfo/${realmId}`, host), read('/preferences', host)];
    expect(new Set(sentRequests())).toEqual(new Set(reads));
  });

  test.each<[unknown, string]>([
    ['January', '12-31'],
    ['April', '03-31'],
    ['march', '02-29'],
    ['Avril', '12-31'],
    [4, '12-31'],
  ])('with a fiscal year from %s ends it on %s', async (FiscalYearStartMonth, expected) => {
    replyWith(json({ ...companyReply, CompanyInfo: { ...CompanyInfo, FiscalYearStartMonth } }));
    expect(await readCompany()).toEqual({ ...company, financialYearEnd: expected });
  });
});
