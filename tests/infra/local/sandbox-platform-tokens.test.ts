import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { basicAuthorization } from '#shared/platforms/http.ts';
import type { Platform } from '#shared/platforms/platform.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import {
  type ConsentChoice,
  giveConsent,
  sandboxClients,
  startTestSandbox,
} from '../../support/sandbox.ts';

const redirectUri = 'http://localhost:3001/callback';
const start = Date.parse('2026-03-23T09:30:00Z');

let now: Date;
let platform: Platform;
let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
const clock = () => now;
const advance = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000);
};

beforeAll(async () => {
  sandbox = await startTestSandbox({ clock });
  platform = await sandbox.platforms.get('platform_a');
});
afterAll(() => sandbox.stop());
beforeEach(() => {
  now = new Date(start);
});

const basicOf = (slot: Slot): string => {
  const { client_id: clientId, client_secret: clientSecret } = sandboxClients[slot];
  return basicAuthorization({ clientId, clientSecret });
};

type TokenReply = { access_token: string; refresh_token: string; error?: string };

const askForTokens = async (
  form: Record<string, string>,
  {
    slot = 'platform_a',
    authorization = basicOf(slot),
  }: { slot?: Slot; authorization?: string } = {},
): Promise<{ status: number; body: TokenReply }> => {
  const reply = await fetch(`${sandbox.baseUrl(slot)}/oauth/token`, {
    method: 'POST',
    headers: { Authorization: authorization },
    body: new URLSearchParams(form),
  });
  return { status: reply.status, body: (await reply.json()) as TokenReply };
};

const consentToCode = async (choice: ConsentChoice = {}): Promise<string> => {
  const page = platform.authorizationUrl({ redirectUri, state: 'the state' });
  return (await giveConsent(page, choice)).searchParams.get('code') ?? '';
};

const redeem = (code: string, changes: Record<string, string> = {}) =>
  askForTokens({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    ...changes,
  });

const refresh = (refreshToken: string) =>
  askForTokens({ grant_type: 'refresh_token', refresh_token: refreshToken });

const callApi = async (path: string, accessToken?: string, slot: Slot = 'platform_a') => {
  const reply = await fetch(`${sandbox.baseUrl(slot)}/api${path}`, {
    headers: accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` },
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
};

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };
const invalidToken = { status: 401, body: { error: 'invalid_token' } };

describe('a code', () => {
  test('is traded for tokens that read the company', async () => {
    const { status, body } = await redeem(await consentToCode({ company: 'prairie-tools' }));
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        token_type: 'Bearer',
        scope: 'offline_access accounting.read',
        expires_in: 1800,
        access_token: expect.any(String),
        refresh_token: expect.any(String),
      },
    });
    const prairie = { id: 'prairie-tools', name: 'Prairie Tools Inc.', currency: 'USD' };
    expect(await callApi('/connections', body.access_token)).toEqual({
      status: 200,
      body: [prairie],
    });
    expect(await callApi('/companies/prairie-tools', body.access_token)).toEqual({
      status: 200,
      body: prairie,
    });
  });

  test('used twice is refused, and the tokens it gave end', async () => {
    const code = await consentToCode();
    const { body: first } = await redeem(code);
    const { body: second } = await refresh(first.refresh_token);
    expect((await callApi('/connections', second.access_token)).status).toBe(200);
    expect(await redeem(code)).toEqual(invalidGrant);
    for (const tokens of [first, second]) {
      expect(await callApi('/connections', tokens.access_token)).toEqual(invalidToken);
      expect(await refresh(tokens.refresh_token)).toEqual(invalidGrant);
    }
  });

  test('lives for 60 seconds', async () => {
    const codes = [await consentToCode(), await consentToCode()] as const;
    advance(59);
    expect((await redeem(codes[0])).status).toBe(200);
    advance(1);
    expect(await redeem(codes[1])).toEqual(invalidGrant);
  });

  test('is bound to its redirect URI and client, and survives those who have neither', async () => {
    const code = await consentToCode();
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    expect(await redeem(code, { redirect_uri: `${redirectUri}?` })).toEqual(invalidGrant);
    expect(await askForTokens(form, { slot: 'platform_b' })).toEqual(invalidGrant);
    expect((await redeem(code)).status).toBe(200);
  });

  test('fails as its own grant says, and no other does', async () => {
    const [good, bad] = await Promise.all([
      consentToCode(),
      consentToCode({ failure: 'platform_errors' }),
    ]);
    const replies = await Promise.all([redeem(good), redeem(bad)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 500]);
  });
});

describe('the token endpoint', () => {
  test.each([
    ['no client', ''],
    ["another platform's client", basicOf('platform_b')],
    ['a wrong secret', basicAuthorization({ clientId: 'ledger at platform_a', clientSecret: 'x' })],
    ['a header of another scheme', 'Bearer abc'],
  ])('refuses %s', async (_title, authorization) => {
    const form = { grant_type: 'refresh_token', refresh_token: 'x' };
    expect(await askForTokens(form, { authorization })).toEqual({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });

  test.each<[string, Record<string, string>, string]>([
    ['no grant type', {}, 'invalid_request'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['no code', { grant_type: 'authorization_code', redirect_uri: redirectUri }, 'invalid_request'],
    ['no redirect URI', { grant_type: 'authorization_code', code: 'x' }, 'invalid_request'],
    ['no refresh token', { grant_type: 'refresh_token' }, 'invalid_request'],
    [
      'an unknown refresh token',
      { grant_type: 'refresh_token', refresh_token: 'x' },
      'invalid_grant',
    ],
  ])('refuses %s', async (_title, form, error) => {
    expect(await askForTokens(form)).toEqual({ status: 400, body: { error } });
  });
});

describe('tokens', () => {
  test('of a refresh replace the refresh token, which works on for 30 seconds', async () => {
    const { body: first } = await redeem(await consentToCode());
    const { body: second } = await refresh(first.refresh_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    advance(29);
    expect((await refresh(first.refresh_token)).status).toBe(200);
    advance(1);
    expect(await refresh(first.refresh_token)).toEqual(invalidGrant);
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  test('for access live for 30 minutes', async () => {
    const { body } = await redeem(await consentToCode());
    advance(30 * 60 - 1);
    expect((await callApi('/connections', body.access_token)).status).toBe(200);
    advance(1);
    expect(await callApi('/connections', body.access_token)).toEqual(invalidToken);
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });
});

describe('the API', () => {
  test.each(['/connections', '/companies/linden-bakery', '/companies/linden-bakery/accounts'])(
    '%s needs an access token of its own platform',
    async (path) => {
      const { body } = await redeem(await consentToCode());
      expect(await callApi(path)).toEqual(invalidToken);
      expect(await callApi(path, 'made-up')).toEqual(invalidToken);
      expect(await callApi(path, body.refresh_token)).toEqual(invalidToken);
      expect(await callApi(path, body.access_token, 'platform_b')).toEqual(invalidToken);
      expect((await callApi(path, body.access_token)).status).toBe(200);
    },
  );

  test('pages through the accounts and refuses a page that is no number', async () => {
    const { body } = await redeem(await consentToCode({ company: 'harbour-coffee' }));
    const pageOf = async (page: string) => {
      const path = `/companies/harbour-coffee/accounts?page=${page}`;
      const { status, body: reply } = await callApi(path, body.access_token);
      return { status, count: (reply.accounts as unknown[])?.length, next: reply.next_page };
    };
    expect(await pageOf('1')).toEqual({ status: 200, count: 50, next: 2 });
    expect(await pageOf('2')).toEqual({ status: 200, count: 14, next: null });
    expect(await pageOf('3')).toEqual({ status: 200, count: 0, next: null });
    for (const page of ['0', '-1', '1.5', 'two']) expect((await pageOf(page)).status).toBe(400);
  });
});

describe('the state file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-platform-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('carries grants over a restart, without a token in it, for its owner only', async () => {
    const stateFile = join(folder, 'data', 'sandbox.json');
    const first = await startTestSandbox({ stateFile, clock });
    const platform = await first.platforms.get('platform_a');
    const callback = await giveConsent(platform.authorizationUrl({ redirectUri, state: 's' }));
    const code = callback.searchParams.get('code') ?? '';
    const tokens = await platform.exchangeCode({ code, redirectUri });
    await first.stop();
    const kept = await readFile(stateFile, 'utf8');
    for (const secret of [code, tokens.accessToken, tokens.refreshToken]) {
      expect(kept).not.toContain(secret);
    }
    expect((await stat(stateFile)).mode & 0o777).toBe(0o600);

    const second = await startTestSandbox({ stateFile, clock });
    const again = await second.platforms.get('platform_a');
    const company = await again.company(tokens.accessToken, 'linden-bakery');
    expect(company.name).toBe('Linden Bakery GmbH');
    expect(await again.refresh(tokens.refreshToken)).toMatchObject({ expiresInSeconds: 1800 });
    await second.stop();
  });

  test('drops grants that have ended', async () => {
    const stateFile = join(folder, 'ended.json');
    const other = await startTestSandbox({ stateFile, clock });
    const make = () =>
      fetch(`${other.baseUrl('platform_a')}/test-grants`, { method: 'POST', body: '{}' });
    const countOf = async () => JSON.parse(await readFile(stateFile, 'utf8')).length;
    await make();
    await make();
    expect(await countOf()).toBe(2);
    advance(60 * 24 * 60 * 60);
    await make();
    expect(await countOf()).toBe(1);
    await other.stop();
  });

  test('that holds something else is named, and left as it is', async () => {
    const stateFile = join(folder, 'other.json');
    await writeFile(stateFile, '{"mine":1}');
    await expect(startTestSandbox({ stateFile })).rejects.toThrow(
      `${stateFile} does not hold grants. Remove it to start afresh.`,
    );
    expect(await readFile(stateFile, 'utf8')).toBe('{"mine":1}');
  });
});
