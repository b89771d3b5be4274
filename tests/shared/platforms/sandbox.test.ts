import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/local/sandbox-platform/companies.ts';
import type { Account } from '#shared/domain/accounts.ts';
import { type Platform, PlatformFailure } from '#shared/platforms/platform.ts';
import { createSandbox } from '#shared/platforms/sandbox.ts';
import { startFakeServer } from '../../support/fake-server.ts';
import { giveConsent, startTestSandbox } from '../../support/sandbox.ts';

const redirectUri = 'http://localhost:3001/oauth/platform_a/callback';
const state = 'Secret-State';

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
let platform: Platform;

beforeAll(async () => {
  sandbox = await startTestSandbox({ timeoutMilliseconds: 300, slowMilliseconds: 1_000 });
  platform = await sandbox.platforms.get('platform_a');
});
afterAll(() => sandbox.stop());

const consentWith = async (choice: { company?: string; failure?: string }) => {
  const callback = await giveConsent(platform.authorizationUrl({ redirectUri, state }), choice);
  return { code: callback.searchParams.get('code') ?? '', query: callback.searchParams };
};

/** Tokens that no browser was needed for, and that are known before the test can see them leak. */
const grantDirectly = async (choice: { company_id?: string; failure?: string } = {}) => {
  const url = `${sandbox.baseUrl('platform_a')}/test-grants`;
  const reply = await fetch(url, { method: 'POST', body: JSON.stringify(choice) });
  const grant = (await reply.json()) as { access_token: string; refresh_token: string };
  return { accessToken: grant.access_token, refreshToken: grant.refresh_token };
};

const everyAccount = async (accessToken: string, companyId: string): Promise<Account[][]> => {
  const pages: Account[][] = [];
  let from: string | undefined;
  do {
    const page = await platform.accountPage(accessToken, { companyId, from });
    pages.push(page.accounts);
    from = page.next;
  } while (from !== undefined);
  return pages;
};

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

describe('a connection that works', () => {
  test('asks for consent with the parameters of RFC 6749 section 4.1.1', () => {
    const url = new URL(platform.authorizationUrl({ redirectUri, state }));
    expect(url.origin + url.pathname).toBe(`${sandbox.baseUrl('platform_a')}/oauth/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'ledger at platform_a',
      redirect_uri: redirectUri,
      scope: 'offline_access accounting.read',
      state,
    });
  });

  test('goes from consent to tokens, company and refreshed tokens', async () => {
    const { code, query } = await consentWith({ company: 'harbour-coffee' });
    const tokens = await platform.exchangeCode({ code, redirectUri });
    expect(tokens).toEqual({
      accessToken: expect.stringMatching(/^[\w-]{43}$/),
      refreshToken: expect.stringMatching(/^[\w-]{43}$/),
      expiresInSeconds: 1800,
    });
    const harbour = {
      companyId: 'harbour-coffee',
      name: 'Harbour Coffee Roasters Ltd',
      currency: 'GBP',
    };
    expect(await platform.connectedCompany(tokens.accessToken, query)).toEqual(harbour);
    const refreshed = await platform.refresh(tokens.refreshToken);
    expect(refreshed.refreshToken).not.toBe(tokens.refreshToken);
    expect(await platform.company(refreshed.accessToken, 'harbour-coffee')).toEqual(harbour);
  });

  test('collects every account over the pages', async () => {
    const { accessToken } = await grantDirectly({ company_id: 'linden-bakery' });
    const pages = await everyAccount(accessToken, 'linden-bakery');
    expect(pages.map((accounts) => accounts.length)).toEqual([50, 50, 18]);
    const chart = companiesOf.platform_a.find(({ id }) => id === 'linden-bakery')?.accounts ?? [];
    expect(pages.flat()).toEqual(
      chart.map(({ id, code, ...account }) => ({
        code: code ?? `ID-${id}`,
        ...account,
        platformAccountId: id,
      })),
    );
    expect(new Set(pages.flat().map(({ code }) => code)).size).toBe(118);
    expect(pages.flat().filter(({ status }) => status === 'archived')).toHaveLength(1);
  });
});

describe('a code that is refused', () => {
  test.each([
    ['because the platform says it is bad', { failure: 'bad_code' }, 'code_refused'],
    ['because it has expired', { failure: 'expired_code' }, 'code_refused'],
    ['because of an error of the platform', { failure: 'platform_errors' }, 'platform_unavailable'],
    ['because the platform is slow', { failure: 'slow' }, 'platform_timed_out'],
  ])('%s', async (_title, choice, reason) => {
    const { code } = await consentWith(choice);
    expect(await failureOf(platform.exchangeCode({ code, redirectUri }), [code])).toEqual({
      reason,
    });
  });

  test('because of a rate limit, with the time to wait', async () => {
    const { code } = await consentWith({ failure: 'rate_limited' });
    expect(await failureOf(platform.exchangeCode({ code, redirectUri }), [code])).toEqual({
      reason: 'rate_limited',
      retryAfterSeconds: 3,
    });
  });

  test('because it comes with another redirect URI, or is made up', async () => {
    const { code } = await consentWith({});
    for (const grant of [
      { code, redirectUri: `${redirectUri}/other` },
      { code: 'Made-Up', redirectUri },
    ]) {
      const failing = platform.exchangeCode(grant);
      expect(await failureOf(failing, [grant.code])).toEqual({ reason: 'code_refused' });
    }
  });
});

type Use = (tokens: Awaited<ReturnType<typeof grantDirectly>>) => Promise<unknown>;

const connection: Use = ({ accessToken }) =>
  platform.connectedCompany(accessToken, new URLSearchParams());
const company: Use = ({ accessToken }) => platform.company(accessToken, 'linden-bakery');
const accounts: Use = ({ accessToken }) => everyAccount(accessToken, 'linden-bakery');
const refresh: Use = ({ refreshToken }) => platform.refresh(refreshToken);

describe('a call that fails', () => {
  test.each<[string, Use, string, object]>([
    ['connection, revoked', connection, 'revoked', { reason: 'credentials_refused' }],
    ['company, revoked', company, 'revoked', { reason: 'credentials_refused' }],
    ['accounts, revoked', accounts, 'revoked', { reason: 'credentials_refused' }],
    ['refresh, revoked', refresh, 'revoked', { reason: 'credentials_refused' }],
    ['connection, 500', connection, 'platform_errors', { reason: 'platform_unavailable' }],
    ['company, 500', company, 'platform_errors', { reason: 'platform_unavailable' }],
    ['accounts, 500', accounts, 'platform_errors', { reason: 'platform_unavailable' }],
    ['refresh, 500', refresh, 'platform_errors', { reason: 'platform_unavailable' }],
    ['company, 429', company, 'rate_limited', { reason: 'rate_limited', retryAfterSeconds: 3 }],
    ['refresh, 429', refresh, 'rate_limited', { reason: 'rate_limited', retryAfterSeconds: 3 }],
    ['company, slow', company, 'slow', { reason: 'platform_timed_out' }],
    ['refresh, slow', refresh, 'slow', { reason: 'platform_timed_out' }],
  ])('%s', async (_title, use, failure, expected) => {
    const tokens = await grantDirectly({ failure });
    expect(await failureOf(use(tokens), Object.values(tokens))).toEqual(expected);
  });

  test.each<[string, object]>([
    ['accounts_error', { reason: 'platform_unavailable' }],
    ['accounts_rate_limited', { reason: 'rate_limited', retryAfterSeconds: 3 }],
  ])('accounts that fail half-way: %s', async (failure, expected) => {
    const { accessToken } = await grantDirectly({ failure });
    const pageFrom = (from: string | undefined) =>
      platform.accountPage(accessToken, { companyId: 'linden-bakery', from });
    const { next } = await pageFrom(undefined);
    expect(next).toBe('2');
    expect(await failureOf(pageFrom(next), [accessToken])).toEqual(expected);
  });

  test('accounts that fail once can be had the second time', async () => {
    const tokens = await grantDirectly({ failure: 'accounts_error_once' });
    expect(await failureOf(accounts(tokens), [])).toEqual({ reason: 'platform_unavailable' });
    expect((await everyAccount(tokens.accessToken, 'linden-bakery')).flat()).toHaveLength(118);
  });

  test.each(['harbour-coffee', 'unknown', '..', '', 'linden-bakery/accounts', 'linden-bakery?'])(
    'a company that was not consented to: "%s"',
    async (companyId) => {
      const { accessToken } = await grantDirectly({ company_id: 'linden-bakery' });
      const expected = { reason: 'company_not_found' };
      for (const failing of [
        platform.company(accessToken, companyId),
        platform.accountPage(accessToken, { companyId, from: undefined }),
      ]) {
        expect(await failureOf(failing, [accessToken])).toEqual(expected);
      }
    },
  );

  test('client credentials that are wrong do not count against the tenant', async () => {
    const { refreshToken } = await grantDirectly();
    const baseUrl = sandbox.baseUrl('platform_a');
    const wrong = createSandbox({ baseUrl, clientId: 'ledger', clientSecret: 'Wrong' });
    expect(await failureOf(wrong.refresh(refreshToken), [refreshToken, 'Wrong'])).toEqual({
      reason: 'platform_unavailable',
    });
  });
});

describe('a reply', () => {
  const read = async (body: unknown, use: (platform: Platform) => Promise<unknown>) => {
    const server = await startFakeServer({ body: JSON.stringify(body) });
    const options = { baseUrl: `${server.url}/`, clientId: 'id', clientSecret: 'secret' };
    try {
      return { result: await use(createSandbox(options)), requests: server.requests.length };
    } finally {
      await server.stop();
    }
  };
  const pageFrom = (from: string) => (platform: Platform) =>
    platform.accountPage('token', { companyId: 'acme', from });
  const acme = { id: 'acme', name: 'Acme', currency: 'EUR' };
  const tokens = { access_token: 'a', refresh_token: 'r', expires_in: 60, token_type: 'Bearer' };

  test.each<[string, unknown, (platform: Platform) => Promise<unknown>]>([
    ['page that stays where it is', { accounts: [], next_page: 2 }, pageFrom('2')],
    ['page that leads back', { accounts: [], next_page: 1 }, pageFrom('2')],
    ['page without accounts', { next_page: null }, pageFrom('2')],
    ['company of another id', { ...acme, id: 'other' }, (it) => it.company('token', 'acme')],
    ['currency that is none', { ...acme, currency: 'XXX' }, (it) => it.company('token', 'acme')],
    ['list of no company', [], (it) => it.connectedCompany('token', new URLSearchParams())],
    [
      'list of two companies',
      [acme, acme],
      (it) => it.connectedCompany('token', new URLSearchParams()),
    ],
    ['token without an end', { ...tokens, expires_in: 0 }, (it) => it.refresh('token')],
    ['token of another kind', { ...tokens, token_type: 'mac' }, (it) => it.refresh('token')],
    ['token reply that is empty', {}, (it) => it.refresh('token')],
  ])('that is a %s is not understood', async (_title, body, use) => {
    expect(await failureOf(read(body, use), [])).toEqual({ reason: 'reply_not_understood' });
  });

  test('has its accounts cut to what the ledger holds, with codes for those without', async () => {
    const account = { type: 'asset', status: 'active' };
    const body = {
      accounts: [
        { id: '1', code: ` ${'9'.repeat(70)}`, name: '\u{1f4b6}'.repeat(160), ...account },
        { id: '2', code: '  ', name: ' Cash ', ...account },
        { id: 'x'.repeat(70), code: null, name: 'Bank', ...account },
      ],
      next_page: 7,
    };
    expect(await read(body, pageFrom('2'))).toEqual({
      result: {
        accounts: [
          {
            code: '9'.repeat(64),
            name: '\u{1f4b6}'.repeat(150),
            platformAccountId: '1',
            ...account,
          },
          { code: 'ID-2', name: 'Cash', platformAccountId: '2', ...account },
          {
            code: `ID-${'x'.repeat(61)}`,
            name: 'Bank',
            platformAccountId: 'x'.repeat(70),
            ...account,
          },
        ],
        next: '7',
      },
      requests: 1,
    });
  });
});
