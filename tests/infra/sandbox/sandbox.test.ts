import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiHost, plainDialects } from '../../support/servers/plain-dialect.ts';
import { sandboxClients, startSandboxPlatform } from '../../support/servers/sandbox.ts';

type Sandbox = Awaited<ReturnType<typeof startSandboxPlatform>>;

const common = { clients: sandboxClients, dialects: plainDialects };

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandboxPlatform(common);
});
afterAll(() => sandbox.stop());

const grantOf = async (choice: { company_id?: string; failure?: string }, at = sandbox) => {
  const body = JSON.stringify(choice);
  const reply = await fetch(`${at.baseUrl('platform_a')}/test-grants`, { method: 'POST', body });
  return (await reply.json()) as { access_token: string; refresh_token: string };
};

const callApi = async (path: string, authorization: string, slot = 'platform_a') => {
  const reply = await fetch(`${sandbox.url}/${slot}/${apiHost}${path}`, {
    headers: { Authorization: authorization },
  });
  return { status: reply.status, body: (await reply.json()) as object, headers: reply.headers };
};

describe('the API', () => {
  const invalidToken = { status: 401, body: { error: 'invalid_token' } };

  test('needs a live access token of its own platform, in its scheme', async () => {
    const { access_token, refresh_token } = await grantOf({});
    const at = async (authorization: string, slot?: string) => {
      const { status, body } = await callApi('/company', authorization, slot);
      return { status, body };
    };
    const good = { status: 200, body: { id: 'linden-bakery' } };
    expect(await at(`Bearer ${access_token}`)).toEqual(good);
    expect(await at(`bearer ${access_token}`)).toEqual(good);
    for (const authorization of [
      '',
      'Bearer',
      'Bearer made-up',
      access_token,
      `Zoho-oauthtoken ${access_token}`,
      `Bearer ${access_token} x`,
      `Bearer ${refresh_token}`,
    ]) {
      expect(await at(authorization), authorization).toEqual(invalidToken);
    }
    expect(await at(`Bearer ${access_token}`, 'platform_b')).toEqual(invalidToken);
    expect(await at(`Zoho-oauthtoken ${access_token}`, 'platform_c')).toEqual(invalidToken);
  });

  test('has what the dialect has, and 404 for the rest', async () => {
    const authorization = `Bearer ${(await grantOf({})).access_token}`;
    expect((await callApi('/nothing', authorization)).status).toBe(404);
    const url = `${sandbox.url}/platform_a/elsewhere.example/company`;
    const elsewhere = await fetch(url, { headers: { Authorization: authorization } });
    expect(elsewhere.status).toBe(404);
  });
});

describe('a failure that was chosen', () => {
  /** The statuses of pages 1, 2 and 2 again, of the accounts and of the journals. */
  const statusesOf = async (failure: string, company_id = 'linden-bakery') => {
    const authorization = `Bearer ${(await grantOf({ company_id, failure })).access_token}`;
    const statuses: number[][] = [];
    for (const kind of ['accounts', 'journals']) {
      const ofKind: number[] = [];
      for (const page of [1, 2, 2]) {
        ofKind.push((await callApi(`/${kind}?page=${page}`, authorization)).status);
      }
      statuses.push(ofKind);
    }
    return statuses;
  };
  const fine = [200, 200, 200];

  test.each([
    ['none', fine, fine],
    ['refresh_revoked', fine, fine],
    ['platform_errors', [500, 500, 500], [500, 500, 500]],
    ['rate_limited', [429, 429, 429], [429, 429, 429]],
    ['revoked', [401, 401, 401], [401, 401, 401]],
    ['accounts_error', [200, 500, 500], fine],
    ['accounts_rate_limited', [200, 429, 429], fine],
    ['accounts_error_once', [200, 500, 200], fine],
    ['journals_error_once', fine, [200, 500, 200]],
    ['journals_rate_limited_once', fine, [200, 429, 200]],
    ['journals_day_limit', fine, [200, 429, 200]],
    ['pages_repeat', fine, fine],
  ])('%s strikes where it says', async (failure, accounts, journals) => {
    expect(await statusesOf(failure)).toEqual([accounts, journals]);
  });

  test('strikes on the only page where there is no other', async () => {
    const once = await statusesOf('journals_error_once', 'prairie-tools');
    expect(once).toEqual([fine, [500, 200, 200]]);
  });

  test.each([
    ['rate_limited', '/company', { limit: 'minute' }, '3'],
    ['journals_rate_limited_once', '/journals?page=2', { limit: 'minute' }, '3'],
    ['journals_day_limit', '/journals?page=2', { limit: 'day' }, '3600'],
  ])('%s is worded by the platform, with its wait', async (failure, path, body, wait) => {
    const authorization = `Bearer ${(await grantOf({ failure })).access_token}`;
    const reply = await callApi(path, authorization);
    expect([reply.status, reply.body, reply.headers.get('Retry-After')]).toEqual([429, body, wait]);
  });

  test('pages_repeat brings the first page again and again', async () => {
    const authorization = `Bearer ${(await grantOf({ failure: 'pages_repeat' })).access_token}`;
    const [first, second] = [
      await callApi('/accounts?page=1', authorization),
      await callApi('/accounts?page=2', authorization),
    ];
    expect(second.body).toEqual({ ...first.body, next: 3 });
  });
});

describe('the server', () => {
  test.each([
    ['GET', '/nowhere'],
    ['GET', '/platform_a'],
    ['GET', '/platform_a/'],
    ['GET', '/platform_a/nowhere'],
    ['GET', '/platform_a/login.plain.example'],
    ['GET', '/platform_d/login.plain.example/authorize'],
    ['GET', '/platform_a/login.plain.example/token'],
    ['GET', '/platform_a/login.plain.example/revoke'],
    ['POST', '/platform_a/login.plain.example/authorize'],
    ['GET', '/platform_a/oauth/consent'],
    ['GET', '/platform_a/test-grants'],
  ])('has nothing at %s %s', async (method, path) => {
    expect((await fetch(`${sandbox.url}${path}`, { method })).status).toBe(404);
  });

  test('refuses a body that is longer than any of its forms', async () => {
    const body = 'x'.repeat(64 * 1024 + 1);
    const url = `${sandbox.baseUrl('platform_a')}/test-grants`;
    expect((await fetch(url, { method: 'POST', body })).status).toBe(413);
  });

  test('stops at once while a reply is slow', async () => {
    const other = await startSandboxPlatform({ ...common, slowMilliseconds: 60_000 });
    const { access_token } = await grantOf({ failure: 'slow' }, other);
    const slow = fetch(`${other.baseUrl('platform_a')}/${apiHost}/company`, {
      headers: { Authorization: `Bearer ${access_token}` },
    }).catch(() => 'broken off');
    // The reply is under way once the request was received, which another one proves.
    await fetch(other.url);
    const before = performance.now();
    await other.stop();
    expect(performance.now() - before).toBeLessThan(1_000);
    expect(await slow).toBe('broken off');
  });
});
