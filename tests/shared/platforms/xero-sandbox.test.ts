import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Platform, PlatformFailure } from '#shared/platforms/platform.ts';
import { giveConsent, startTestSandbox } from '../../support/servers/sandbox.ts';

const redirectUri = 'http://localhost:3001/oauth/platform_a/callback';
const state = 'Secret-State';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-0{12}$/;

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
let platform: Platform;
let now = new Date('2026-04-01T10:00:00Z');

beforeAll(async () => {
  sandbox = await startTestSandbox({
    timeoutMilliseconds: 800,
    slowMilliseconds: 1_500,
    clock: () => now,
  });
  platform = await sandbox.platforms.get('platform_a');
});
afterAll(() => sandbox.stop());

const connectWith = async (choice: { company?: string; failure?: string }) => {
  const url = platform.authorizationUrl({ redirectUri, state });
  const callback = (await giveConsent(url, choice)).searchParams;
  const code = callback.get('code') ?? '';
  return { code, connecting: platform.connect({ code, redirectUri, callback }) };
};

/** Tokens that no browser was needed for. */
const grantDirectly = async (choice: { company_id?: string; failure?: string } = {}) => {
  const url = `${sandbox.baseUrl('platform_a')}/test-grants`;
  const reply = await fetch(url, { method: 'POST', body: JSON.stringify(choice) });
  const grant = (await reply.json()) as Record<string, string>;
  return {
    companyId: grant.platform_company_id ?? '',
    dataCenter: null,
    accessToken: grant.access_token ?? '',
    refreshToken: grant.refresh_token ?? '',
  };
};
type Grant = Awaited<ReturnType<typeof grantDirectly>>;

/** Fails the test where the call does not fail, or where the failure holds one of the secrets. */
const failureOf = async (failing: Promise<unknown>, secrets: string[]) => {
  const error = await failing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PlatformFailure)) throw new Error(`no PlatformFailure: ${inspect(error)}`);
  const everything = inspect(error, { depth: null, showHidden: true }) + JSON.stringify(error);
  for (const secret of [...secrets, state]) expect(everything).not.toContain(secret);
  const { reason, retryAfterSeconds } = error;
  return retryAfterSeconds === undefined ? { reason } : { reason, retryAfterSeconds };
};

const secretsOf = ({ accessToken, refreshToken }: Grant) => [accessToken, refreshToken];

describe('a connection', () => {
  test('goes from consent to tokens, company and refreshed tokens', async () => {
    const { connecting } = await connectWith({ company: 'harbour-coffee' });
    const { tokens, company } = await connecting;
    expect(tokens).toEqual({
      accessToken: expect.stringMatching(/^[\w-]{43}$/),
      refreshToken: expect.stringMatching(/^[\w-]{43}$/),
      expiresInSeconds: 1800,
    });
    expect(company).toEqual({
      companyId: expect.stringMatching(uuid),
      dataCenter: null,
      name: 'Harbour Coffee Roasters Ltd',
      currency: 'GBP',
    });
    const { accessToken, refreshToken } = await platform.refresh({ ...tokens, dataCenter: null });
    expect(refreshToken).not.toBe(tokens.refreshToken);
    expect(await platform.company({ ...company, accessToken })).toEqual(company);
  });

  test('is refreshed with the token before for half an hour, and not for longer', async () => {
    const grant = await grantDirectly();
    await platform.refresh(grant);
    const start = now;
    now = new Date(start.getTime() + 30 * 60 * 1000 - 1);
    expect(await platform.refresh(grant)).toMatchObject({ expiresInSeconds: 1800 });
    now = new Date(start.getTime() + 30 * 60 * 1000);
    const failing = platform.refresh(grant);
    expect(await failureOf(failing, secretsOf(grant))).toEqual({ reason: 'credentials_refused' });
  });

  test('is given back for good, and no other with it', async () => {
    const [grant, other] = [await grantDirectly(), await grantDirectly()];
    await platform.disconnect(grant);
    for (const failing of [platform.company(grant), platform.refresh(grant)]) {
      expect(await failureOf(failing, secretsOf(grant))).toEqual({ reason: 'credentials_refused' });
    }
    expect(await platform.company(other)).toMatchObject({ companyId: other.companyId });
  });

  test('is for one company', async () => {
    const grant = await grantDirectly({ company_id: 'linden-bakery' });
    const { companyId } = await grantDirectly({ company_id: 'harbour-coffee' });
    const failing = platform.company({ ...grant, companyId });
    expect(await failureOf(failing, secretsOf(grant))).toEqual({ reason: 'company_not_found' });
    // There is no connection of this company, so nothing is given back.
    await platform.disconnect({ ...grant, companyId });
    expect(await platform.company(grant)).toMatchObject({ companyId: grant.companyId });
  });
});

describe('a code that is refused', () => {
  test.each<[string, string, object]>([
    ['is bad', 'bad_code', { reason: 'code_refused' }],
    ['has expired', 'expired_code', { reason: 'code_refused' }],
    ['meets an error', 'platform_errors', { reason: 'platform_unavailable' }],
    ['meets a slow platform', 'slow', { reason: 'platform_timed_out' }],
    ['meets a limit', 'rate_limited', { reason: 'rate_limited', retryAfterSeconds: 3 }],
  ])('%s', async (_title, failure, expected) => {
    const { code, connecting } = await connectWith({ failure });
    expect(await failureOf(connecting, [code])).toEqual(expected);
  });
});

type Use = (grant: Grant) => Promise<unknown>;

const company: Use = (grant) => platform.company(grant);
const accounts: Use = (grant) => platform.accountPage(grant, null);
const journals: Use = (grant) => platform.journalPage(grant, null);
const refresh: Use = (grant) => platform.refresh(grant);
const disconnect: Use = (grant) => platform.disconnect(grant);
const wait = { reason: 'rate_limited', retryAfterSeconds: 3 };

describe('a call that fails', () => {
  test.each<[string, Use, string, object]>([
    ['company, revoked', company, 'revoked', { reason: 'credentials_refused' }],
    ['accounts, revoked', accounts, 'revoked', { reason: 'credentials_refused' }],
    ['journals, revoked', journals, 'revoked', { reason: 'credentials_refused' }],
    ['refresh, revoked', refresh, 'revoked', { reason: 'credentials_refused' }],
    ['disconnect, revoked', disconnect, 'revoked', { reason: 'credentials_refused' }],
    ['company, 500', company, 'platform_errors', { reason: 'platform_unavailable' }],
    ['journals, 500', journals, 'platform_errors', { reason: 'platform_unavailable' }],
    ['refresh, 500', refresh, 'platform_errors', { reason: 'platform_unavailable' }],
    ['disconnect, 500', disconnect, 'platform_errors', { reason: 'platform_unavailable' }],
    ['company, 429', company, 'rate_limited', wait],
    ['refresh, 429', refresh, 'rate_limited', wait],
    ['company, slow', company, 'slow', { reason: 'platform_timed_out' }],
    ['accounts, 429', accounts, 'accounts_rate_limited', wait],
    ['accounts, half-way', accounts, 'accounts_error', { reason: 'platform_unavailable' }],
  ])('%s', async (_title, use, failure, expected) => {
    const grant = await grantDirectly({ failure });
    expect(await failureOf(use(grant), secretsOf(grant))).toEqual(expected);
  });

  test.each<[string, object]>([
    ['journals_error_once', { reason: 'platform_unavailable' }],
    ['journals_rate_limited_once', wait],
    ['journals_day_limit', { reason: 'rate_limited', retryAfterSeconds: 3600 }],
  ])('journals on page 2 the first time only: %s', async (failure, expected) => {
    const grant = await grantDirectly({ failure });
    const { next } = await platform.journalPage(grant, null);
    expect(next).toBe('2');
    const failing = platform.journalPage(grant, next);
    expect(await failureOf(failing, secretsOf(grant))).toEqual(expected);
    expect(await platform.journalPage(grant, next)).toMatchObject({ next: '3' });
  });

  test('journals whose first page comes again and again', async () => {
    const grant = await grantDirectly({ failure: 'pages_repeat' });
    const first = await platform.journalPage(grant, null);
    const third = await platform.journalPage(grant, '3');
    const references = first.journals.map(({ reference }) => reference);
    expect(third.journals.map(({ reference }) => reference)).toEqual(references);
    expect([first.next, third.next]).toEqual(['2', '4']);
  });
});

describe('a large company', () => {
  test('gives its whole chart at once, and its last journals behind the first', async () => {
    const grant = await grantDirectly({ company_id: 'evergreen-holdings-a' });
    const chart = await platform.accountPage(grant, null);
    expect(new Set(chart.accounts.map(({ accountId }) => accountId)).size).toBe(10_000);
    const [first, last] = [
      await platform.journalPage(grant, null),
      await platform.journalPage(grant, '1000'),
    ];
    expect([first.next, last.next]).toEqual(['2', null]);
    const [before, after] = [first.journals.at(-1), last.journals[0]];
    expect((before?.reference ?? '') < (after?.reference ?? '')).toBe(true);
  });
});

describe('the Accounting API', () => {
  const ask = async (path: string, tenant?: string) => {
    const { companyId, accessToken } = await grantDirectly();
    const url = `${sandbox.baseUrl('platform_a')}/api.xero.com/api.xro/2.0/${path}`;
    const reply = await fetch(url, {
      headers: { Authorization: `Bearer ${accessToken}`, 'xero-tenant-id': tenant ?? companyId },
    });
    const body = (await reply.json()) as Record<string, unknown>;
    return { status: reply.status, left: reply.headers.get('X-MinLimit-Remaining'), body };
  };

  test('says how many calls are left', async () => {
    expect(await ask('Organisation')).toMatchObject({ status: 200, left: '59' });
  });

  test('refuses a tenant that the token is not for', async () => {
    expect(await ask('Organisation', 'acme')).toMatchObject({
      status: 403,
      body: { Title: 'Forbidden', Status: 403, Detail: 'AuthenticationUnsuccessful' },
    });
  });

  test.each([
    'ManualJournals',
    'ManualJournals?page=0',
    'ManualJournals?page=1&pageSize=1001',
    'ManualJournals?page=1&order=UpdatedDateUTC',
    'ManualJournals?page=1&where=Status=="POSTED"',
    'Accounts?where=Type=="BANK"',
  ])('does not know %s', async (path) => {
    expect(await ask(path)).toMatchObject({
      status: 400,
      body: { ErrorNumber: 16, Type: 'QueryParseException' },
    });
  });
});
