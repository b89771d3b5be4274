import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { codeChallengeOf } from '#shared/connections/authorization-states.ts';
import { basicAuthorization } from '#shared/platforms/oauth.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import {
  basicOf,
  openSandboxClient,
  redirectUri,
  type TokenFields,
} from '../../support/harnesses/sandbox-client.ts';
import { makeDataFolder } from '../../support/processes/service.ts';
import { sandboxClients } from '../../support/servers/sandbox.ts';

const sandbox = await openSandboxClient();
afterAll(sandbox.stop);
const { advance, connect, consentToCode, redeem, refresh, statusOf, testTokens, token } = sandbox;

/** Platforms with different rules. */
const [xero, intuit, zoho] = ['platform_a', 'platform_b', 'platform_c'] as const;

const anyText = expect.any(String);
const succeeds = expect.objectContaining({ status: 200 });
const invalidGrants = {
  platform_a: { status: 400, body: { error: 'invalid_grant' } },
  platform_b: { status: 400, body: { error: 'invalid_grant' } },
  platform_c: { status: 200, body: { error: 'invalid_code' } },
};
const invalidGrant = invalidGrants.platform_a;

describe('an authorization request', () => {
  const authorizeUrl = (changes = {}) => sandbox.authorizeUrl(xero, changes);

  test('shows a page that escapes its input and loads no resources', async () => {
    const attack = '"><script>alert(1)</script>';
    const redirect_uri = `http://localhost:3001/${attack}`;
    const reply = await fetch(authorizeUrl({ redirect_uri, state: attack }));
    const page = await reply.text();
    expect(reply.status).toBe(200);
    expect(reply.headers.get('Content-Security-Policy')?.split('; ')).toEqual([
      "default-src 'none'",
      expect.stringMatching(/^style-src 'sha256-[\w+/]{43}='$/),
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(page).not.toMatch(/<script|alert\(1\)<\//);
  });

  test.each([
    ['an unknown client', { client_id: 'somebody' }],
    ["another platform's client", { client_id: sandboxClients.platform_b.client_id }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['a redirect URI that is no web address', { redirect_uri: 'javascript:alert(1)' }],
    ['a redirect URI with a fragment', { redirect_uri: 'https://example.com/#here' }],
  ])('with %s is not redirected', async (_title, changes) => {
    const reply = await fetch(authorizeUrl(changes), { redirect: 'manual' });
    expect([reply.status, reply.headers.get('Location')]).toEqual([400, null]);
    expect(await reply.text()).toContain('This request cannot be trusted');
  });

  test('must name a registered redirect URI', async () => {
    const registered = 'http://localhost:3001/callback/platform_a';
    const other = await openSandboxClient({ redirectUris: () => [registered] });
    const statusFor = async (redirect_uri: string) =>
      (await fetch(other.authorizeUrl(xero, { redirect_uri }), { redirect: 'manual' })).status;
    expect(await statusFor(registered)).toBe(200);
    expect(await statusFor(`${registered}/`)).toBe(400);
    expect(await statusFor(`${registered}?from=x`)).toBe(400);
    await other.stop();
  });

  test.each([
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'offline_access everything' }, 'invalid_scope'],
    ["another platform's separator", { scope: 'offline_access,openid' }, 'invalid_scope'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['a plain challenge', { code_challenge: 'x' }, 'invalid_request'],
  ])('with %s is redirected with the error', async (_title, changes, error) => {
    const reply = await fetch(authorizeUrl(changes), { redirect: 'manual' });
    const location = new URL(reply.headers.get('Location') ?? '');
    const query = { from: '<b>"here"</b>', error, state: 'the state' };
    expect([reply.status, Object.fromEntries(location.searchParams)]).toEqual([303, query]);
  });
});

describe('the consent form', () => {
  test('is valid once, for ten minutes, on its own platform', async () => {
    const open = async () => {
      const page = await (await fetch(sandbox.authorizeUrl(xero))).text();
      return /name="consent" value="([^"]+)"/.exec(page)?.[1] ?? '';
    };
    const submit = async (form: Record<string, string>, slot: Slot = xero) => {
      const url = `${sandbox.baseUrl(slot)}/oauth/consent`;
      const body = new URLSearchParams(form);
      return (await fetch(url, { method: 'POST', body, redirect: 'manual' })).status;
    };
    const approve = { consent: await open(), decision: 'approve' };
    expect(await submit(approve, intuit)).toBe(400);
    expect(await submit({ ...approve, company: 'no-such-company' })).toBe(400);
    expect(await submit({ ...approve, company: '' })).toBe(400);
    expect(await submit({ ...approve, failure: 'no-such-failure' })).toBe(400);
    expect(await submit({ consent: approve.consent })).toBe(400);
    expect(await submit(approve)).toBe(303);
    expect(await submit(approve)).toBe(400);
    const late = { consent: await open(), decision: 'approve' };
    advance(10 * 60);
    expect(await submit(late)).toBe(400);
  });
});

describe('a code', () => {
  test('is valid once; a second use ends its tokens', async () => {
    const code = await consentToCode(xero);
    const first = (await redeem(xero, code)).body as TokenFields;
    const second = { ...first, ...(await refresh(xero, first)).body };
    expect(await redeem(xero, code)).toEqual(invalidGrant);
    for (const tokens of [first, second]) {
      expect(await statusOf(xero, tokens)).toBe(401);
      expect(await refresh(xero, tokens)).toEqual(invalidGrant);
    }
  });

  test.each([
    [xero, 300],
    [zoho, 60],
  ])('expires at %s after %i seconds', async (slot, seconds) => {
    const choice = { company: slot === zoho ? 'fjord-fish' : 'linden-bakery' };
    const [early, late] = [await consentToCode(slot, choice), await consentToCode(slot, choice)];
    advance(seconds - 1);
    expect((await redeem(slot, early)).body.access_token).toEqual(anyText);
    advance(1);
    expect(await redeem(slot, late)).toEqual(invalidGrants[slot]);
  });

  test('requires its redirect URI, client and verifier', async () => {
    const code_challenge = codeChallengeOf('verifier');
    const request = { code_challenge, code_challenge_method: 'S256' };
    const code = await consentToCode(xero, {}, request);
    const code_verifier = 'verifier';
    const redirect_uri = `${redirectUri}?`;
    expect(await redeem(xero, code, { code_verifier, redirect_uri })).toEqual(invalidGrant);
    expect(await redeem(xero, code)).toEqual(invalidGrant);
    expect(await redeem(xero, code, { code_verifier: 'other' })).toEqual(invalidGrant);
    expect(await redeem(intuit, code)).toMatchObject(invalidGrant);
    expect(await redeem(xero, code, { code_verifier })).toEqual(succeeds);
  });
});

describe('the token endpoint', () => {
  const wrong = basicAuthorization({ clientId: 'ledger at platform_b', clientSecret: 'x' });

  test.each<[string, Slot, Record<string, string>, string, number]>([
    ['no client', intuit, {}, '', 401],
    ["another platform's client", intuit, {}, basicOf(xero), 401],
    ['a wrong secret', intuit, {}, wrong, 401],
    ['another scheme', intuit, {}, 'Bearer abc', 401],
    ['no client in the form', zoho, { client_id: '', client_secret: '' }, basicOf(zoho), 200],
    ['a wrong secret in the form', zoho, { client_secret: 'x' }, '', 200],
  ])('refuses %s', async (_title, slot, form, authorization, status) => {
    const reply = await token(slot, { grant_type: 'refresh_token', ...form }, authorization);
    expect(reply).toEqual({ status, body: { error: 'invalid_client' } });
  });

  test('of Intuit accepts a client in the form, as its discovery document says', async () => {
    const { refresh_token = '' } = await connect(intuit);
    const form = { grant_type: 'refresh_token', refresh_token, ...sandboxClients.platform_b };
    expect(await token(intuit, form, '')).toEqual(succeeds);
  });

  test('replaces a refresh token, which still works for 30 minutes', async () => {
    const first = await connect(xero);
    const second = { ...first, ...(await refresh(xero, first)).body };
    expect(second.refresh_token).not.toBe(first.refresh_token);
    advance(30 * 60 - 1);
    expect(await refresh(xero, first)).toEqual(succeeds);
    advance(1);
    expect(await refresh(xero, first)).toEqual(invalidGrant);
    expect(await refresh(xero, second)).toEqual(succeeds);
  });
});

test('the API requires a live access token of its platform, in its scheme', async () => {
  const { access_token, refresh_token } = await testTokens(xero);
  for (const scheme of ['Bearer', 'bearer']) {
    expect(await statusOf(xero, `${scheme} ${access_token}`)).toBe(200);
  }
  for (const [slot, authorization] of [
    [xero, ''],
    [xero, 'Bearer'],
    [xero, 'Bearer made-up'],
    [xero, access_token],
    [xero, `Zoho-oauthtoken ${access_token}`],
    [xero, `Bearer ${access_token} x`],
    [xero, `Bearer ${refresh_token}`],
    [intuit, `Bearer ${access_token}`],
    [zoho, `Zoho-oauthtoken ${access_token}`],
  ] as const) {
    expect(await statusOf(slot, authorization), authorization).toBe(401);
  }
});

describe('test tokens', () => {
  test('have the fields of a request that creates a tenant', async () => {
    expect(await testTokens(zoho, { company_id: 'jaipur-textiles' })).toEqual({
      access_token: anyText,
      refresh_token: anyText,
      expires_in: 3600,
      platform_company_id: anyText,
      data_center: 'in',
      company_name: 'Jaipur Textiles Pvt Ltd',
      currency: 'INR',
    });
  });

  test.each([
    ['an unknown company', { company_id: 'none' }],
    ['a failure that needs a code', { failure: 'bad_code' }],
    ['an unknown field', { company: 'alder-software' }],
  ])('are refused for %s', async (_title, choice) => {
    expect(await testTokens(intuit, choice)).toMatchObject({ error: 'invalid_request' });
  });
});

describe('the state file', async () => {
  const folder = await makeDataFolder();
  afterAll(folder.remove);
  afterEach(() => vi.restoreAllMocks());

  test('keeps consents after a restart, without tokens in plain text, for its owner', async () => {
    const stateFile = join(folder.path, 'data', 'sandbox.json');
    const first = await openSandboxClient({ stateFile });
    const tokens = await first.testTokens(xero);
    await first.stop();
    const text = await readFile(stateFile, 'utf8');
    for (const name of ['access_token', 'refresh_token'] as const) {
      expect(text).not.toContain(tokens[name]);
    }
    expect((await stat(stateFile)).mode & 0o777).toBe(0o600);

    const second = await openSandboxClient({ stateFile });
    expect(await second.statusOf(xero, tokens)).toBe(200);
    expect((await second.refresh(xero, tokens)).body).toMatchObject({ expires_in: 1800 });
    // Expired consents are dropped.
    second.advance(60 * 24 * 60 * 60);
    await second.testTokens(xero);
    expect(JSON.parse(await readFile(stateFile, 'utf8'))).toHaveLength(1);
    await second.stop();
  });

  test.each([
    ['of an older version', '[{"slot":"platform_a","companyId":"linden-bakery"}]'],
    ['without JSON', '{"mine":'],
  ])('%s is reported and ignored', async (_title, text) => {
    const stateFile = join(folder.path, 'other.json');
    await writeFile(stateFile, text);
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const other = await openSandboxClient({ stateFile });
    const line = `${stateFile} contains no readable consents. The sandbox starts without any.`;
    expect(log.mock.calls).toEqual([[line]]);
    expect(await other.statusOf(xero, await other.testTokens(xero))).toBe(200);
    await other.stop();
  });
});

describe('the server', () => {
  test('refuses a body that is longer than its forms', async () => {
    const body = 'x'.repeat(64 * 1024 + 1);
    const url = `${sandbox.baseUrl(xero)}/test-tokens`;
    expect((await fetch(url, { method: 'POST', body })).status).toBe(413);
  });

  test('interrupts a slow reply when it stops', async () => {
    const other = await openSandboxClient({ slowMilliseconds: 60_000 });
    const tokens = await other.testTokens(xero, { failure: 'slow' });
    const slow = other.statusOf(xero, tokens).catch(() => 'interrupted');
    // The server receives requests in order.
    await fetch(other.url);
    const before = performance.now();
    await other.stop();
    expect(performance.now() - before).toBeLessThan(1_000);
    expect(await slow).toBe('interrupted');
  });
});
