import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { basicAuthorization } from '#shared/platforms/http.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { plainDialects } from '../../support/servers/plain-dialect.ts';
import {
  type ConsentChoice,
  giveConsent,
  sandboxClients,
  startSandboxPlatform,
} from '../../support/servers/sandbox.ts';

type Sandbox = Awaited<ReturnType<typeof startSandboxPlatform>>;
type Form = Record<string, string>;

const redirectUri = 'http://localhost:3001/callback';
const start = Date.parse('2026-03-23T09:30:00Z');
const common = { clients: sandboxClients, dialects: plainDialects };

let now: Date;
let sandbox: Sandbox;
const clock = () => now;
const advance = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000);
};

beforeAll(async () => {
  sandbox = await startSandboxPlatform({ ...common, clock });
});
afterAll(() => sandbox.stop());
beforeEach(() => {
  now = new Date(start);
});

/** The client as both kinds of platform want it; `fancy` takes it in the form. */
const basicOf = (slot: Slot): string => {
  const { client_id: clientId, client_secret: clientSecret } = sandboxClients[slot];
  return basicAuthorization({ clientId, clientSecret });
};
const plain = { slot: 'platform_a', host: 'login.plain.example', client: {} } as const;
const fancy = {
  slot: 'platform_c',
  host: 'login.fancy.example',
  client: sandboxClients.platform_c,
} as const;
type At = { slot: Slot; host: string; client: Form };

const postTo = async (url: string, { authorization = '', body }: PostOptions) => {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { Authorization: authorization },
    body,
  });
  return { status: reply.status, body: (await reply.json()) as TokenReply };
};
type PostOptions = { authorization?: string; body: string | URLSearchParams };
type TokenReply = { access_token: string; refresh_token: string; error?: string };

const askForTokens = (
  form: Form,
  { slot, host, client }: At = plain,
  authorization = basicOf(slot),
) =>
  postTo(`${sandbox.baseUrl(slot)}/${host}/token`, {
    authorization: slot === 'platform_c' ? '' : authorization,
    body: new URLSearchParams({ ...form, ...client }),
  });

const consentToCode = async (
  choice: ConsentChoice = {},
  { slot, host }: At = plain,
  scope: string = plainDialects[slot].scopes.join(plainDialects[slot].scopeSeparator),
): Promise<string> => {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: sandboxClients[slot].client_id,
    redirect_uri: redirectUri,
    scope,
  });
  const page = `${sandbox.baseUrl(slot)}/${host}/authorize?${query}`;
  return (await giveConsent(page, choice)).searchParams.get('code') ?? '';
};

const redeem = (code: string, at: At = plain, changes: Form = {}) =>
  askForTokens(
    { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...changes },
    at,
  );

const refresh = (refreshToken: string, at: At = plain) =>
  askForTokens({ grant_type: 'refresh_token', refresh_token: refreshToken }, at);

const callApi = async (accessToken: string, { slot }: At = plain) => {
  const { tokenScheme } = plainDialects[slot];
  const reply = await fetch(`${sandbox.baseUrl(slot)}/api.plain.example/company`, {
    headers: { Authorization: `${tokenScheme} ${accessToken}` },
  });
  return { status: reply.status, body: await reply.json() };
};

const connect = async (at: At = plain, choice: ConsentChoice = {}) =>
  (await redeem(await consentToCode(choice, at), at)).body;

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };
const invalidToken = { status: 401, body: { error: 'invalid_token' } };
const good = expect.objectContaining({ status: 200 });

describe('a code', () => {
  test('is traded for tokens that read the company', async () => {
    const { status, body } = await redeem(await consentToCode({ company: 'prairie-tools' }));
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        token_type: 'Bearer',
        scope: 'offline_access books.read',
        expires_in: 1800,
        access_token: expect.any(String),
        refresh_token: expect.any(String),
      },
    });
    expect(await callApi(body.access_token)).toEqual({
      status: 200,
      body: { id: 'prairie-tools' },
    });
  });

  test('is answered with what the platform adds, and in its own scheme', async () => {
    const body = await connect(fancy, { company: 'fjord-fish' });
    expect(body).toEqual({
      token_type: 'Bearer',
      scope: 'books.accounts books.journals',
      expires_in: 3600,
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      api_domain: 'https://eu.example',
    });
    expect(await callApi(body.access_token, fancy)).toEqual({
      status: 200,
      body: { id: 'fjord-fish' },
    });
  });

  test('gives no refresh token where the platform has a scope for that, left out', async () => {
    const code = await consentToCode({}, plain, 'books.read');
    expect(await redeem(code)).toEqual({
      status: 200,
      body: {
        token_type: 'Bearer',
        scope: 'books.read',
        expires_in: 1800,
        access_token: expect.any(String),
      },
    });
  });

  test('used twice is refused, and the tokens it gave end', async () => {
    const code = await consentToCode();
    const { body: first } = await redeem(code);
    const { body: second } = await refresh(first.refresh_token);
    expect(await callApi(second.access_token)).toEqual(good);
    expect(await redeem(code)).toEqual(invalidGrant);
    for (const tokens of [first, second]) {
      expect(await callApi(tokens.access_token)).toEqual(invalidToken);
      expect(await refresh(tokens.refresh_token)).toEqual(invalidGrant);
    }
  });

  test.each([
    ['60 seconds', plain, 60, invalidGrant],
    ['120 seconds', fancy, 120, { status: 200, body: { error: 'fancy_invalid_grant' } }],
  ])('lives for %s, as its platform says', async (_title, at, seconds, refusal) => {
    const codes = [await consentToCode({}, at), await consentToCode({}, at)] as const;
    advance(seconds - 1);
    expect((await redeem(codes[0], at)).body.access_token).toEqual(expect.any(String));
    advance(1);
    expect(await redeem(codes[1], at)).toEqual(refusal);
  });

  test('is bound to its redirect URI and client, and survives those who have neither', async () => {
    const code = await consentToCode();
    expect(await redeem(code, plain, { redirect_uri: `${redirectUri}?` })).toEqual(invalidGrant);
    expect(await redeem(code, { ...plain, slot: 'platform_b' })).toEqual(invalidGrant);
    expect(await redeem(code)).toEqual(good);
  });

  test('fails as its own grant says, and no other does', async () => {
    const codes = await Promise.all([
      consentToCode(),
      consentToCode({ failure: 'platform_errors' }),
      consentToCode({ failure: 'rate_limited' }),
      consentToCode({ failure: 'bad_code' }),
      consentToCode({ failure: 'expired_code' }),
    ]);
    const replies = await Promise.all(codes.map((code) => redeem(code)));
    expect(replies.map(({ status }) => status)).toEqual([200, 500, 429, 400, 400]);
  });
});

describe('the token endpoint', () => {
  const wrong = { clientId: 'ledger at platform_a', clientSecret: 'x' };

  test.each([
    ['no client', ''],
    ["another platform's client", basicOf('platform_b')],
    ['a wrong secret', basicAuthorization(wrong)],
    ['a header of another scheme', 'Bearer abc'],
  ])('refuses %s', async (_title, authorization) => {
    const form = { grant_type: 'refresh_token', refresh_token: 'x', ...sandboxClients.platform_a };
    expect(await askForTokens(form, plain, authorization)).toEqual({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });

  test.each<[string, Form]>([
    ['no client', {}],
    ["another platform's client", sandboxClients.platform_a],
    ['a wrong secret', { ...sandboxClients.platform_c, client_secret: 'x' }],
  ])('refuses %s in a form, where it belongs there', async (_title, client) => {
    const body = new URLSearchParams({ grant_type: 'refresh_token', ...client });
    const url = `${sandbox.baseUrl('platform_c')}/login.fancy.example/token`;
    expect(await postTo(url, { authorization: basicOf('platform_c'), body })).toEqual({
      status: 200,
      body: { error: 'fancy_invalid_client' },
    });
  });

  test.each<[string, Form, string]>([
    ['no grant type', {}, 'invalid_request'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['no code', { grant_type: 'authorization_code', redirect_uri: redirectUri }, 'invalid_request'],
    ['no redirect URI', { grant_type: 'authorization_code', code: 'x' }, 'invalid_request'],
    ['no refresh token', { grant_type: 'refresh_token' }, 'invalid_request'],
    ['an unknown token', { grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_grant'],
  ])('refuses %s', async (_title, form, error) => {
    expect(await askForTokens(form)).toEqual({ status: 400, body: { error } });
  });
});

describe('tokens', () => {
  test('of a refresh replace the refresh token, which works on for the grace', async () => {
    const first = await connect();
    const { body: second } = await refresh(first.refresh_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    advance(29);
    expect(await refresh(first.refresh_token)).toEqual(good);
    advance(1);
    expect(await refresh(first.refresh_token)).toEqual(invalidGrant);
    expect(await refresh(second.refresh_token)).toEqual(good);
  });

  test('of a refresh leave the refresh token where it is not replaced', async () => {
    const first = await connect(fancy);
    expect(await refresh(first.refresh_token, fancy)).toEqual({
      status: 200,
      body: {
        token_type: 'Bearer',
        scope: 'books.accounts books.journals',
        expires_in: 3600,
        access_token: expect.any(String),
        api_domain: 'https://eu.example',
      },
    });
    advance(10 * 365 * 24 * 60 * 60);
    const { body: later } = await refresh(first.refresh_token, fancy);
    expect(await callApi(later.access_token, fancy)).toEqual(good);
  });

  test('for access and for refresh live as long as the platform says', async () => {
    const body = await connect();
    advance(30 * 60 - 1);
    expect(await callApi(body.access_token)).toEqual(good);
    advance(1);
    expect(await callApi(body.access_token)).toEqual(invalidToken);
    const { body: second } = await refresh(body.refresh_token);
    advance(60 * 24 * 60 * 60);
    expect(await refresh(second.refresh_token)).toEqual(invalidGrant);
  });

  test('that cannot be renewed work for 30 seconds, and say so', async () => {
    const body = await connect(plain, { failure: 'refresh_revoked' });
    expect(body).toMatchObject({ expires_in: 30 });
    expect(await refresh(body.refresh_token)).toEqual(invalidGrant);
    expect(await callApi(body.access_token)).toEqual(good);
    advance(30);
    expect(await callApi(body.access_token)).toEqual(invalidToken);
  });

  test('of a revoked grant are refused at once', async () => {
    const body = await connect(plain, { failure: 'revoked' });
    expect(await callApi(body.access_token)).toEqual(invalidToken);
    expect(await refresh(body.refresh_token)).toEqual(invalidGrant);
  });

  test('last as long as the sandbox was started to say', async () => {
    const options = { ...common, clock, refreshGraceSeconds: 5, accessTokenSeconds: 70 };
    const [usual, other] = [sandbox, await startSandboxPlatform(options)];
    sandbox = other;
    const [first, unreplaced] = [await connect(), await connect(fancy)];
    await refresh(first.refresh_token);
    advance(5);
    expect(await refresh(first.refresh_token)).toEqual(invalidGrant);
    expect((await refresh(unreplaced.refresh_token, fancy)).body.refresh_token).toBeUndefined();
    advance(64);
    expect(await callApi(first.access_token)).toEqual(good);
    advance(1);
    expect(await callApi(first.access_token)).toEqual(invalidToken);
    await other.stop();
    sandbox = usual;
  });
});
