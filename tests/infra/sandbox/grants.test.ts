import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { basicAuthorization } from '#shared/platforms/http.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { apiHost, plainDialects } from '../../support/servers/plain-dialect.ts';
import { sandboxClients, startSandboxPlatform } from '../../support/servers/sandbox.ts';

type Sandbox = Awaited<ReturnType<typeof startSandboxPlatform>>;
type Tokens = { access_token: string; refresh_token: string };

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

const basicOf = (slot: Slot): string => {
  const { client_id: clientId, client_secret: clientSecret } = sandboxClients[slot];
  return basicAuthorization({ clientId, clientSecret });
};

const makeGrant = async (
  slot: Slot,
  { failure = 'none', at = sandbox }: { failure?: string; at?: Sandbox } = {},
): Promise<Tokens> => {
  const body = JSON.stringify({ failure });
  const reply = await fetch(`${at.baseUrl(slot)}/test-grants`, { method: 'POST', body });
  return (await reply.json()) as Tokens;
};

const callApi = async (
  { access_token }: Tokens,
  { slot = 'platform_a', method = 'GET', path = '/company', at = sandbox }: CallOptions = {},
) => {
  const authorization = `${plainDialects[slot].tokenScheme} ${access_token}`;
  const reply = await fetch(`${at.baseUrl(slot)}/${apiHost}${path}`, {
    method,
    headers: { Authorization: authorization },
  });
  return reply.status;
};
type CallOptions = { slot?: Slot; method?: string; path?: string; at?: Sandbox };

const refresh = async ({ refresh_token }: Tokens, slot: Slot = 'platform_a', at = sandbox) => {
  const host = slot === 'platform_c' ? 'login.fancy.example' : 'login.plain.example';
  const form = { grant_type: 'refresh_token', refresh_token, ...sandboxClients[slot] };
  const reply = await fetch(`${at.baseUrl(slot)}/${host}/token`, {
    method: 'POST',
    headers: { Authorization: basicOf(slot) },
    body: new URLSearchParams(form),
  });
  return (await reply.json()) as Tokens & { error?: string };
};

const revoke = async (
  slot: Slot,
  body: URLSearchParams | string,
  authorization = basicOf(slot),
): Promise<number> => {
  const place = slot === 'platform_c' ? 'login.fancy.example/token' : 'login.plain.example';
  const reply = await fetch(`${sandbox.baseUrl(slot)}/${place}/revoke`, {
    method: 'POST',
    headers: { Authorization: authorization },
    body,
  });
  return reply.status;
};

describe('a revocation', () => {
  const formOf = (token: string) => new URLSearchParams({ token });
  const jsonOf = (token: string) => JSON.stringify({ token });

  test.each([
    ['the refresh token in a form', 'platform_a', 'refresh_token', formOf],
    ['the access token in a form', 'platform_a', 'access_token', formOf],
    ['the refresh token in JSON', 'platform_c', 'refresh_token', jsonOf],
    ['the access token in JSON', 'platform_c', 'access_token', jsonOf],
  ] as const)('by %s ends all tokens of the grant, and of no other', async (...row) => {
    const [, slot, name, bodyOf] = row;
    const [ended, other] = [await makeGrant(slot), await makeGrant(slot)];
    const renewed = { ...ended, ...(await refresh(ended, slot)) };
    expect(await callApi(renewed, { slot })).toBe(200);
    expect(await revoke(slot, bodyOf(renewed[name]))).toBe(200);
    for (const tokens of [ended, renewed]) {
      expect(await callApi(tokens, { slot })).toBe(401);
      expect((await refresh(tokens, slot)).error).toMatch(/invalid_grant$/);
    }
    expect(await callApi(other, { slot })).toBe(200);
  });

  test('needs the client where the platform has it in a header, and its own token', async () => {
    const tokens = await makeGrant('platform_a');
    const form = formOf(tokens.refresh_token);
    expect(await revoke('platform_a', form, '')).toBe(401);
    expect(await revoke('platform_a', form, basicOf('platform_b'))).toBe(401);
    expect(await revoke('platform_a', jsonOf(tokens.refresh_token))).toBe(400);
    // A token that is not good has ended already (RFC 7009 section 2.2).
    expect(await revoke('platform_b', form)).toBe(200);
    expect(await callApi(tokens)).toBe(200);
  });

  test('fails as the grant says, which then goes on', async () => {
    const tokens = await makeGrant('platform_a', { failure: 'platform_errors' });
    expect(await revoke('platform_a', formOf(tokens.access_token))).toBe(500);
    expect(await callApi(tokens)).toBe(500);
  });

  test("can be the platform's own, in its API", async () => {
    const tokens = await makeGrant('platform_a');
    expect(await callApi(tokens, { method: 'DELETE', path: '/connection' })).toBe(200);
    expect(await callApi(tokens)).toBe(401);
    expect((await refresh(tokens)).error).toBe('invalid_grant');
  });
});

describe('the state file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-platform-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  afterEach(() => vi.restoreAllMocks());

  const open = (stateFile: string) => startSandboxPlatform({ ...common, stateFile, clock });

  test('carries grants over a restart, without a token in it, for its owner only', async () => {
    const stateFile = join(folder, 'data', 'sandbox.json');
    const first = await open(stateFile);
    const tokens = await makeGrant('platform_a', { at: first });
    const unending = await makeGrant('platform_c', { at: first });
    await first.stop();
    const kept = await readFile(stateFile, 'utf8');
    for (const secret of [tokens, unending].flatMap((it) => [it.access_token, it.refresh_token])) {
      expect(kept).not.toContain(secret);
    }
    expect((await stat(stateFile)).mode & 0o777).toBe(0o600);

    const second = await open(stateFile);
    expect(await callApi(tokens, { at: second })).toBe(200);
    expect(await refresh(tokens, 'platform_a', second)).toMatchObject({ expires_in: 1800 });
    expect(await refresh(unending, 'platform_c', second)).toMatchObject({ expires_in: 3600 });
    await second.stop();
  });

  test('drops grants that have ended', async () => {
    const stateFile = join(folder, 'ended.json');
    const other = await open(stateFile);
    const countOf = async () => JSON.parse(await readFile(stateFile, 'utf8')).length;
    await makeGrant('platform_a', { at: other });
    await makeGrant('platform_c', { at: other });
    expect(await countOf()).toBe(2);
    // The refresh tokens of one of the platforms do not end.
    advance(60 * 24 * 60 * 60);
    await makeGrant('platform_b', { at: other });
    expect(await countOf()).toBe(2);
    await other.stop();
  });

  test.each([
    ['what an older version kept', '[{"slot":"platform_a","companyId":"linden-bakery"}]'],
    ['what is no JSON', '{"mine":'],
  ])('that holds %s is left behind in a line, and the sandbox starts', async (_title, text) => {
    const stateFile = join(folder, 'other.json');
    await writeFile(stateFile, text);
    const told = vi.spyOn(console, 'error').mockReturnValue();
    const other = await open(stateFile);
    expect(told.mock.calls).toEqual([
      [`${stateFile} holds no grants that can be read: the sandbox starts without any.`],
    ]);
    const tokens = await makeGrant('platform_a', { at: other });
    expect(await callApi(tokens, { at: other })).toBe(200);
    await other.stop();
  });
});
