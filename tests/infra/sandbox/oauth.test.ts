import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { basicAuthorization } from '#shared/platforms/http.ts';
import {
  basicOf,
  openSandboxClient,
  redirectUri,
  type TokenFields,
} from '../../support/harnesses/sandbox-client.ts';
import { makeDataFolder } from '../../support/processes/service.ts';
import { type ConsentChoice, sandboxClients } from '../../support/servers/sandbox.ts';

const sandbox = await openSandboxClient();
afterAll(sandbox.stop);
beforeEach(sandbox.resetClock);
const { advance, callApi, connect, consentToCode, makeGrant, redeem, refresh, revoke, token } =
  sandbox;

/** Platforms whose rules differ in everything that the sandbox has to follow. */
const [plain, fancy] = ['platform_a', 'platform_c'] as const;

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };
const invalidToken = [401, { error: 'invalid_token' }];
const good = expect.objectContaining({ status: 200 });
const anyText = expect.any(String);
const plainTokens = { token_type: 'Bearer', expires_in: 1800, access_token: anyText };
const fancyTokens = {
  token_type: 'Bearer',
  scope: 'books.accounts books.journals',
  expires_in: 3600,
  access_token: anyText,
  api_domain: 'https://eu.example',
};

describe('a code', () => {
  test('is traded for tokens that read the company, as the platform words them', async () => {
    const tokens = await connect(plain, { company: 'prairie-tools' });
    const scope = 'offline_access books.read';
    expect(tokens).toEqual({ ...plainTokens, scope, refresh_token: anyText });
    expect(await callApi(plain, tokens)).toEqual([200, { id: 'prairie-tools' }]);
    const others = await connect(fancy, { company: 'fjord-fish' });
    expect(others).toEqual({ ...fancyTokens, refresh_token: anyText });
    expect(await callApi(fancy, others)).toEqual([200, { id: 'fjord-fish' }]);
  });

  test('gives no refresh token where the platform has a scope for that, left out', async () => {
    const scope = 'books.read';
    const { body } = await redeem(plain, await consentToCode(plain, {}, { scope }));
    expect(body).toEqual({ ...plainTokens, scope });
  });

  test('used twice is refused, and the tokens it gave end', async () => {
    const code = await consentToCode(plain);
    const first = (await redeem(plain, code)).body as TokenFields;
    const second = { ...first, ...(await refresh(plain, first)).body };
    expect((await callApi(plain, second))[0]).toBe(200);
    expect(await redeem(plain, code)).toEqual(invalidGrant);
    for (const tokens of [first, second]) {
      expect(await callApi(plain, tokens)).toEqual(invalidToken);
      expect(await refresh(plain, tokens)).toEqual(invalidGrant);
    }
  });

  test.each([
    [plain, 60, invalidGrant],
    [fancy, 120, { status: 200, body: { error: 'fancy_invalid_grant' } }],
  ])('lives at %s for %i seconds', async (slot, seconds, refusal) => {
    const [early, late] = [await consentToCode(slot), await consentToCode(slot)];
    advance(seconds - 1);
    expect((await redeem(slot, early)).body.access_token).toEqual(anyText);
    advance(1);
    expect(await redeem(slot, late)).toEqual(refusal);
  });

  test('is bound to its redirect URI and client, and survives those who have neither', async () => {
    const code = await consentToCode(plain);
    const elsewhere = { redirect_uri: `${redirectUri}?` };
    expect(await redeem(plain, code, elsewhere)).toEqual(invalidGrant);
    expect(await redeem('platform_b', code)).toEqual(invalidGrant);
    expect(await redeem(plain, code)).toEqual(good);
  });
});

describe('the token endpoint', () => {
  const wrong = basicAuthorization({ clientId: 'ledger at platform_a', clientSecret: 'x' });
  const none = { client_id: '', client_secret: '' };

  test.each<[string, typeof plain | typeof fancy, Record<string, string>, string | undefined]>([
    ['no client', plain, sandboxClients.platform_a, ''],
    ["another platform's client", plain, sandboxClients.platform_a, basicOf('platform_b')],
    ['a wrong secret', plain, sandboxClients.platform_a, wrong],
    ['a header of another scheme', plain, sandboxClients.platform_a, 'Bearer abc'],
    ['no client in the form', fancy, none, undefined],
    ["another platform's client in the form", fancy, sandboxClients.platform_a, undefined],
    ['a wrong secret in the form', fancy, { client_secret: 'x' }, undefined],
  ])('refuses %s, where it belongs there', async (_title, slot, client, authorization) => {
    const form = { grant_type: 'refresh_token', refresh_token: 'x', ...client };
    expect(await token(slot, form, authorization)).toEqual(
      slot === plain
        ? { status: 401, body: { error: 'invalid_client' } }
        : { status: 200, body: { error: 'fancy_invalid_client' } },
    );
  });

  test.each<[string, Record<string, string>, string]>([
    ['no grant type', {}, 'invalid_request'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['no code', { grant_type: 'authorization_code', redirect_uri: redirectUri }, 'invalid_request'],
    ['no redirect URI', { grant_type: 'authorization_code', code: 'x' }, 'invalid_request'],
    ['no refresh token', { grant_type: 'refresh_token' }, 'invalid_request'],
    ['an unknown token', { grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_grant'],
  ])('refuses %s', async (_title, form, error) => {
    expect(await token(plain, form)).toEqual({ status: 400, body: { error } });
  });
});

describe('tokens', () => {
  test('of a refresh replace the refresh token, which works on for the grace', async () => {
    const first = await connect(plain);
    const second = { ...first, ...(await refresh(plain, first)).body };
    expect(second.refresh_token).not.toBe(first.refresh_token);
    advance(29);
    expect(await refresh(plain, first)).toEqual(good);
    advance(1);
    expect(await refresh(plain, first)).toEqual(invalidGrant);
    expect(await refresh(plain, second)).toEqual(good);
  });

  test('of a refresh leave the refresh token where it is not replaced', async () => {
    const first = await connect(fancy);
    expect(await refresh(fancy, first)).toEqual({ status: 200, body: fancyTokens });
    advance(10 * 365 * 24 * 60 * 60);
    const later = { ...first, ...(await refresh(fancy, first)).body };
    expect((await callApi(fancy, later))[0]).toBe(200);
  });

  test.each([
    ['as long as the platform says', 'none', 30 * 60],
    ['for 30 seconds where they cannot be renewed', 'refresh_revoked', 30],
  ])('live %s', async (_title, failure, seconds) => {
    const tokens = await connect(plain, { failure });
    expect(tokens).toMatchObject({ expires_in: seconds });
    advance(seconds - 1);
    expect((await callApi(plain, tokens))[0]).toBe(200);
    advance(1);
    expect(await callApi(plain, tokens)).toEqual(invalidToken);
    advance(60 * 24 * 60 * 60);
    expect(await refresh(plain, tokens)).toEqual(invalidGrant);
  });

  test('last as long as the sandbox was started to say', async () => {
    const other = await openSandboxClient({ refreshGraceSeconds: 5, accessTokenSeconds: 70 });
    const [first, unreplaced] = [await other.connect(plain), await other.connect(fancy)];
    await other.refresh(plain, first);
    other.advance(5);
    expect(await other.refresh(plain, first)).toEqual(invalidGrant);
    expect((await other.refresh(fancy, unreplaced)).body.refresh_token).toBeUndefined();
    other.advance(64);
    expect((await other.callApi(plain, first))[0]).toBe(200);
    other.advance(1);
    expect(await other.callApi(plain, first)).toEqual(invalidToken);
    await other.stop();
  });
});

describe('a revocation', () => {
  const formOf = (secret: string) => new URLSearchParams({ token: secret });
  const jsonOf = (secret: string) => JSON.stringify({ token: secret });

  test.each([
    ['the refresh token in a form', plain, 'refresh_token', formOf],
    ['the access token in a form', plain, 'access_token', formOf],
    ['the refresh token in JSON', fancy, 'refresh_token', jsonOf],
    ['the access token in JSON', fancy, 'access_token', jsonOf],
  ] as const)('by %s ends all tokens of the grant, and of no other', async (...row) => {
    const [, slot, name, bodyOf] = row;
    const [ended, other] = [await makeGrant(slot), await makeGrant(slot)];
    const renewed = { ...ended, ...(await refresh(slot, ended)).body };
    expect(await revoke(slot, bodyOf(renewed[name]))).toBe(200);
    for (const tokens of [ended, renewed]) {
      expect(await callApi(slot, tokens)).toEqual(invalidToken);
      expect((await refresh(slot, tokens)).body.error).toMatch(/invalid_grant$/);
    }
    expect((await callApi(slot, other))[0]).toBe(200);
  });

  test('needs the client where the platform has it in a header, and its own token', async () => {
    const tokens = await makeGrant(plain);
    const form = formOf(tokens.refresh_token);
    expect(await revoke(plain, form, '')).toBe(401);
    expect(await revoke(plain, form, basicOf('platform_b'))).toBe(401);
    expect(await revoke(plain, jsonOf(tokens.refresh_token))).toBe(400);
    // A token that is not good has ended already (RFC 7009 section 2.2).
    expect(await revoke('platform_b', form)).toBe(200);
    expect((await callApi(plain, tokens))[0]).toBe(200);
  });

  test('fails as the grant says, which then goes on', async () => {
    const tokens = await makeGrant(plain, { failure: 'platform_errors' });
    expect(await revoke(plain, formOf(tokens.access_token))).toBe(500);
    expect((await callApi(plain, tokens))[0]).toBe(500);
  });

  test("can be the platform's own, in its API", async () => {
    const tokens = await makeGrant(plain);
    await callApi(plain, tokens, { method: 'DELETE', path: '/connection' });
    expect(await callApi(plain, tokens)).toEqual(invalidToken);
    expect(await refresh(plain, tokens)).toEqual(invalidGrant);
  });
});

describe('consent to companies', () => {
  const companiesOf = async (slot: typeof plain | typeof fancy, tokens: TokenFields) =>
    (await callApi(slot, tokens, { path: '/companies' }))[1];

  test.each<[string, typeof plain | typeof fancy, ConsentChoice, string[]]>([
    ['one', plain, {}, ['linden-bakery']],
    [
      'several',
      plain,
      { companies: ['prairie-tools', 'linden-bakery'] },
      ['linden-bakery', 'prairie-tools'],
    ],
    [
      'all of one user',
      fancy,
      { company: 'olive-trading' },
      ['olive-trading-former', 'olive-trading', 'olive-trading-north'],
    ],
  ])('is good for %s', async (_title, slot, choice, ids) => {
    expect(await companiesOf(slot, await connect(slot, choice))).toEqual(ids);
  });

  test('that a user gave before is good for both, and each company ends by itself', async () => {
    const user = 'ada';
    const first = await connect(plain, { user, company: 'harbour-coffee' });
    const second = await connect(plain, { user, company: 'prairie-tools' });
    const other = await connect(plain, { company: 'prairie-tools' });
    for (const tokens of [first, second]) {
      expect(await companiesOf(plain, tokens)).toEqual(['harbour-coffee', 'prairie-tools']);
    }
    const path = '/connection?company=plain-prairie-tools';
    await callApi(plain, first, { method: 'DELETE', path });
    expect(await companiesOf(plain, first)).toEqual(['harbour-coffee']);
    expect(await callApi(plain, second)).toEqual(invalidToken);
    expect(await companiesOf(plain, other)).toEqual(['prairie-tools']);
  });

  test('ends whole with the revocation of one of its tokens', async () => {
    const user = 'grace';
    const first = await connect(plain, { user, company: 'harbour-coffee' });
    const second = await connect(plain, { user, company: 'prairie-tools' });
    expect(await revoke(plain, new URLSearchParams({ token: first.refresh_token }))).toBe(200);
    expect(await callApi(plain, second)).toEqual(invalidToken);
  });
});

describe('the API', () => {
  test('needs a live access token of its own platform, in its scheme', async () => {
    const { access_token, refresh_token } = await makeGrant(plain);
    for (const scheme of ['Bearer', 'bearer']) {
      const answer = await callApi(plain, `${scheme} ${access_token}`);
      expect(answer).toEqual([200, { id: 'linden-bakery' }]);
    }
    for (const [slot, authorization] of [
      [plain, ''],
      [plain, 'Bearer'],
      [plain, 'Bearer made-up'],
      [plain, access_token],
      [plain, `Zoho-oauthtoken ${access_token}`],
      [plain, `Bearer ${access_token} x`],
      [plain, `Bearer ${refresh_token}`],
      ['platform_b', `Bearer ${access_token}`],
      [fancy, `Zoho-oauthtoken ${access_token}`],
    ] as const) {
      expect(await callApi(slot, authorization), authorization).toEqual(invalidToken);
    }
  });

  test('has what the dialect has, and 404 for the rest', async () => {
    const tokens = await makeGrant(plain);
    expect((await callApi(plain, tokens, { path: '/nothing' }))[0]).toBe(404);
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    const elsewhere = `${sandbox.baseUrl(plain)}/elsewhere.example/company`;
    expect((await fetch(elsewhere, { headers })).status).toBe(404);
  });
});

describe('the state file', async () => {
  const folder = await makeDataFolder();
  afterAll(folder.remove);
  afterEach(() => vi.restoreAllMocks());

  test('carries grants over a restart, without a token in it, for its owner only', async () => {
    const stateFile = join(folder.path, 'data', 'sandbox.json');
    const first = await openSandboxClient({ stateFile });
    const [tokens, unending] = [await first.makeGrant(plain), await first.makeGrant(fancy)];
    await first.stop();
    const kept = await readFile(stateFile, 'utf8');
    for (const secret of [tokens, unending].flatMap((it) => [it.access_token, it.refresh_token])) {
      expect(kept).not.toContain(secret);
    }
    expect((await stat(stateFile)).mode & 0o777).toBe(0o600);

    const second = await openSandboxClient({ stateFile });
    expect((await second.callApi(plain, tokens))[0]).toBe(200);
    expect((await second.refresh(plain, tokens)).body).toMatchObject({ expires_in: 1800 });
    expect((await second.refresh(fancy, unending)).body).toMatchObject({ expires_in: 3600 });
    await second.stop();
  });

  test('drops grants that have ended', async () => {
    const stateFile = join(folder.path, 'ended.json');
    const other = await openSandboxClient({ stateFile });
    const countOf = async () => JSON.parse(await readFile(stateFile, 'utf8')).length;
    await other.makeGrant(plain);
    await other.makeGrant(fancy);
    expect(await countOf()).toBe(2);
    // The refresh tokens of one of the platforms do not end.
    other.advance(60 * 24 * 60 * 60);
    await other.makeGrant('platform_b');
    expect(await countOf()).toBe(2);
    await other.stop();
  });

  test.each([
    ['what an older version kept', '[{"slot":"platform_a","companyId":"linden-bakery"}]'],
    ['what is no JSON', '{"mine":'],
  ])('that holds %s is left behind in a line, and the sandbox starts', async (_title, text) => {
    const stateFile = join(folder.path, 'other.json');
    await writeFile(stateFile, text);
    const told = vi.spyOn(console, 'error').mockReturnValue();
    const other = await openSandboxClient({ stateFile });
    expect(told.mock.calls).toEqual([
      [`${stateFile} holds no grants that can be read: the sandbox starts without any.`],
    ]);
    expect((await other.callApi(plain, await other.makeGrant(plain)))[0]).toBe(200);
    await other.stop();
  });
});
