import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/local/sandbox-platform/companies.ts';
import { isCurrency } from '#shared/domain/currencies.ts';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { giveConsent, sandboxClients, startTestSandbox } from '../../support/sandbox.ts';

const redirectUri = 'http://localhost:3001/callback?from=<b>"here"</b>';
const start = Date.parse('2026-03-23T09:30:00Z');

let now: Date;
let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
const clock = () => now;
const advance = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000);
};

beforeAll(async () => {
  sandbox = await startTestSandbox({ clock });
});
afterAll(() => sandbox.stop());
beforeEach(() => {
  now = new Date(start);
});

const authorizeUrl = (changes: Record<string, string | undefined> = {}): string => {
  const query = {
    response_type: 'code',
    client_id: sandboxClients.platform_a.client_id,
    redirect_uri: redirectUri,
    scope: 'offline_access accounting.read',
    state: 'the state',
    ...changes,
  };
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return `${sandbox.baseUrl('platform_a')}/oauth/authorize?${new URLSearchParams(given)}`;
};

describe('the demo companies', () => {
  test('each have a chart with an archived account and one without a code', () => {
    for (const slot of slotNames) {
      expect(companiesOf[slot].length).toBeGreaterThanOrEqual(2);
      for (const { id, currency, accounts } of companiesOf[slot]) {
        expect(accounts.length, id).toBeGreaterThanOrEqual(20);
        expect(isCurrency(currency), id).toBe(true);
        expect(accounts.filter(({ status }) => status === 'archived')).toHaveLength(1);
        expect(accounts.filter(({ code }) => code === null)).toHaveLength(1);
        expect(new Set(accounts.map(({ code }) => code)).size).toBe(accounts.length);
      }
    }
  });
});

describe('an authorization request', () => {
  test('shows a page that escapes what it was given and loads nothing else', async () => {
    const attack = '"><script>alert(1)</script>';
    const redirect_uri = `http://localhost:3001/${attack}`;
    const reply = await fetch(authorizeUrl({ redirect_uri, state: attack }));
    const page = await reply.text();
    expect(reply.status).toBe(200);
    const policy = reply.headers.get('Content-Security-Policy')?.split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      expect.stringMatching(/^style-src 'sha256-[\w+/]{43}='$/),
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(page).not.toContain('<script');
    expect(page).not.toContain('alert(1)</');
    expect(page).toContain('ledger at platform_a');
    expect(page).toContain('http://localhost:3001');
  });

  test("escapes the companies' names", async () => {
    const reply = await fetch(`${sandbox.baseUrl('platform_c')}/oauth/direct`);
    const page = await reply.text();
    expect(page).toContain('Brennan &#38; Daughters&#39; Looms Ltd');
    expect(page).not.toContain('Brennan & Daughters');
  });

  test.each([
    ['an unknown client', { client_id: 'somebody' }],
    ['no client', { client_id: undefined }],
    ["another platform's client", { client_id: sandboxClients.platform_b.client_id }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['a redirect URI that is no web address', { redirect_uri: 'javascript:alert(1)' }],
    ['a redirect URI with a fragment', { redirect_uri: 'https://example.com/#here' }],
    ['a redirect URI that is relative', { redirect_uri: '/callback' }],
  ])('from %s gets a page and no redirect', async (_title, changes) => {
    const reply = await fetch(authorizeUrl(changes), { redirect: 'manual' });
    expect([reply.status, reply.headers.get('Location')]).toEqual([400, null]);
    expect(await reply.text()).toContain('This request cannot be trusted');
  });

  test.each([
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'accounting.read everything' }, 'invalid_scope'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
  ])('with %s is sent back with the error', async (_title, changes, error) => {
    const reply = await fetch(authorizeUrl(changes), { redirect: 'manual' });
    const location = new URL(reply.headers.get('Location') ?? '');
    expect(reply.status).toBe(303);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      from: '<b>"here"</b>',
      error,
      state: 'the state',
    });
  });
});

describe('the consent form', () => {
  test('sends the browser back with a code and the state when approved', async () => {
    const location = await giveConsent(authorizeUrl());
    expect(location.origin + location.pathname).toBe('http://localhost:3001/callback');
    expect(Object.fromEntries(location.searchParams)).toEqual({
      from: '<b>"here"</b>',
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'the state',
    });
  });

  test('sends the browser back with access_denied when denied', async () => {
    const location = await giveConsent(authorizeUrl({ state: undefined }), { decision: 'deny' });
    expect(Object.fromEntries(location.searchParams)).toEqual({
      from: '<b>"here"</b>',
      error: 'access_denied',
    });
  });

  test('is accepted once, within ten minutes, at its own platform, filled in', async () => {
    const open = async () => {
      const page = await (await fetch(authorizeUrl())).text();
      return /name="consent" value="([^"]+)"/.exec(page)?.[1] ?? '';
    };
    const submit = async (form: Record<string, string>, slot: Slot = 'platform_a') => {
      const url = `${sandbox.baseUrl(slot)}/oauth/consent`;
      const body = new URLSearchParams(form);
      return (await fetch(url, { method: 'POST', body, redirect: 'manual' })).status;
    };
    const approve = { consent: await open(), decision: 'approve' };
    expect(await submit(approve, 'platform_b')).toBe(400);
    expect(await submit({ ...approve, company: 'no-such-company' })).toBe(400);
    expect(await submit({ ...approve, failure: 'no-such-failure' })).toBe(400);
    expect(await submit({ consent: approve.consent })).toBe(400);
    expect(await submit(approve)).toBe(303);
    expect(await submit(approve)).toBe(400);
    const late = { consent: await open(), decision: 'approve' };
    advance(10 * 60);
    expect(await submit(late)).toBe(400);
  });
});

describe('grants without a browser', () => {
  const post = (path: string, body: string | URLSearchParams) =>
    fetch(`${sandbox.baseUrl('platform_b')}${path}`, { method: 'POST', body });
  const companyOf = async (accessToken: string) =>
    (await sandbox.platforms.get('platform_b')).connectedCompany(
      accessToken,
      new URLSearchParams(),
    );
  const sakura = { companyId: 'sakura-printing', name: 'Sakura Printing KK', currency: 'JPY' };

  test('are made by a program', async () => {
    const reply = await post('/test-grants', JSON.stringify({ company_id: 'sakura-printing' }));
    const grant = (await reply.json()) as { access_token: string };
    expect(grant).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 1800,
      platform_company_id: 'sakura-printing',
    });
    expect(await companyOf(grant.access_token)).toEqual(sakura);
    const byDefault = await (await post('/test-grants', '')).json();
    expect(byDefault).toMatchObject({ platform_company_id: 'alder-software' });
  });

  test.each([
    ['an unknown company', '{"company_id":"none"}'],
    ['a failure that needs a code', '{"failure":"bad_code"}'],
    ['an unknown field', '{"company":"alder-software"}'],
    ['text that is not JSON', 'company'],
  ])('are refused for %s', async (_title, body) => {
    const reply = await post('/test-grants', body);
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  test('are made on a page', async () => {
    const form = new URLSearchParams({ company: 'sakura-printing', failure: 'none' });
    const page = await (await post('/oauth/direct', form)).text();
    const json = /<pre[^>]*>([^<]+)<\/pre>/.exec(page)?.[1]?.replaceAll('&#34;', '"') ?? '';
    expect(await companyOf(JSON.parse(json).access_token)).toEqual(sakura);
    const refused = await post('/oauth/direct', new URLSearchParams({ failure: 'bad_code' }));
    expect(refused.status).toBe(400);
  });
});

describe('the server', () => {
  test('explains itself and lists every company', async () => {
    const page = await (await fetch(sandbox.url)).text();
    for (const slot of slotNames) {
      for (const { id } of companiesOf[slot]) expect(page).toContain(`<code>${id}</code>`);
      expect(page).toContain(`href="/${slot}/oauth/direct"`);
    }
  });

  test.each([
    ['GET', '/nowhere'],
    ['GET', '/platform_a'],
    ['GET', '/platform_d/oauth/authorize'],
    ['GET', '/platform_a/oauth/token'],
    ['POST', '/platform_a/api/connections'],
    ['GET', '/platform_a/api/companies/'],
  ])('has nothing at %s %s', async (method, path) => {
    expect((await fetch(`${sandbox.url}${path}`, { method })).status).toBe(404);
  });

  test('refuses a body that is longer than any of its forms', async () => {
    const body = 'x'.repeat(64 * 1024 + 1);
    const url = `${sandbox.baseUrl('platform_a')}/test-grants`;
    expect((await fetch(url, { method: 'POST', body })).status).toBe(413);
  });

  test('stops at once while a reply is slow', async () => {
    const other = await startTestSandbox({ slowMilliseconds: 60_000 });
    const platform = await other.platforms.get('platform_a');
    const url = `${other.baseUrl('platform_a')}/test-grants`;
    const made = await fetch(url, { method: 'POST', body: '{"failure":"slow"}' });
    const { access_token: token } = (await made.json()) as { access_token: string };
    const slow = platform.company(token, 'linden-bakery').catch((error: Error) => error.message);
    // The reply is under way once the request was received, which another one proves.
    await fetch(other.url);
    const before = performance.now();
    await other.stop();
    expect(performance.now() - before).toBeLessThan(1_000);
    expect(await slow).toBe('platform_unavailable');
  });
});
