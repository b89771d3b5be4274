// Best Current Practice for OAuth 2.0 Security (RFC 9700), over HTTP, for us as the client: each
// row says what is tried, and what comes of it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPlatforms } from '#shared/platforms/registry.ts';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { fixedSecret } from '../support/builders/secrets.ts';
import { testSlots } from '../support/builders/slots.ts';
import { startFakeServer } from '../support/servers/fake-server.ts';
import { giveConsent, sandboxClients, startTestSandbox } from '../support/servers/sandbox.ts';
import {
  openTwoApplications,
  problemsOf,
  type TwoApplications,
  verdictOf,
} from './two-applications.ts';

let two: TwoApplications;

/** A company's id in the form of each platform's, and its data center. */
const companies: Record<Slot, [string, string | null]> = {
  platform_a: ['5c1d6f0e-8a43-4d0e-9f3c-2b7a51c9e0d4', null],
  platform_b: ['9341453', null],
  platform_c: ['10234695', 'us'],
};

const landing = 'https://app.example.com/connected';

beforeAll(async () => {
  two = await openTwoApplications();
});

afterAll(async () => {
  await two.stop();
});

const initiate = (slot: string, redirectUrl = landing) =>
  two.mine(
    `oauth/${slot}/initiate/?${new URLSearchParams({
      user_id: two.userId,
      cash_flow_method: 'direct',
      redirect_url: redirectUrl,
    })}`,
  );

/** A fresh authorization: where the browser is sent, and with which state. */
const begin = async (slot: string) => {
  const { body } = await initiate(slot);
  const url = new URL(body.data.authorization_url);
  return {
    url,
    state: url.searchParams.get('state') ?? '',
    redirectUri: url.searchParams.get('redirect_uri') ?? '',
  };
};

const visit = async (url: URL | string) => {
  const reply = await fetch(url, { redirect: 'manual' });
  return {
    status: reply.status,
    location: reply.headers.get('Location'),
    headers: reply.headers,
    text: await reply.text(),
  };
};

const withQuery = (address: string, query: Record<string, string>): string =>
  `${address}?${new URLSearchParams(query)}`;

const tenantCount = async (): Promise<number> => {
  const { body } = await two.mine('users/profile/', { body: { email: 'ada@example.com' } });
  return body.data.tenant_count;
};

describe('2.1 the authorization request', () => {
  test.each(slotNames)('at %s asks for a code, and carries nothing secret', async (slot) => {
    const { url } = await begin(slot);
    const { searchParams } = url;
    expect(searchParams.get('response_type')).toBe('code');
    const needed = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state'];
    const zohos = slot === 'platform_c' ? ['access_type', 'prompt'] : [];
    expect([...searchParams.keys()].sort()).toEqual([...needed, ...zohos].sort());
    expect(url.hash).toBe('');
  });

  test('has a state of 256 bits of its own each time', async () => {
    const states = await Promise.all(
      Array.from({ length: 16 }, async () => (await begin('platform_a')).state),
    );
    expect(new Set(states).size).toBe(16);
    for (const state of states) expect(Buffer.from(state, 'base64url')).toHaveLength(32);
  });
});

describe('4.1 redirect URIs', () => {
  test.each<[string, string]>([
    ['without TLS', 'http://app.example.com/'],
    ['of an internal address without TLS', 'http://169.254.169.254/latest/meta-data/'],
    ['of a host that begins like this machine', 'http://localhost.evil.example/'],
    ['with a user name', 'https://app.example.com@evil.example/'],
    ['with a backslash', 'https://app.example.com\\@evil.example/'],
    ['with a fragment', 'https://app.example.com/#x'],
    ['without a scheme', '//evil.example/'],
    ['of a path only', '/connected'],
    ['with a script', 'javascript:alert(1)//https://app.example.com/'],
    ['with data', 'data:text/html,<script>alert(1)</script>'],
    ['of a file', 'file:///etc/passwd'],
    ['with a line end', 'https://app.example.com/\r\nSet-Cookie: a=b'],
    ['with a tab in its host', 'https://app.exa\tmple.com/'],
    ['with a status of its own', `${landing}?status=success`],
    ['with a domain_url of its own', `${landing}?domain_url=theirs`],
    ['with a percent-encoded state', `${landing}?%73tate=1`],
    ['of 2,049 characters', `${landing}?q=${'x'.repeat(2049 - landing.length - 3)}`],
  ])('%s are refused before anything is stored', async (_, redirectUrl) => {
    const reply = await initiate('platform_a', redirectUrl);
    expect(verdictOf(reply)).toEqual([422, 'validation_failed']);
    expect(problemsOf(reply.body).join()).toMatch(/\/redirect_url$/);
  });

  test('are compared in full where the application has registered its own', async () => {
    const url = 'https://registered.example/back';
    await two.operate('applications', 'redirect-urls', '--application', 'Mine', '--add', url);
    const verdicts = await Promise.all(
      [
        url,
        `${url}?order=7`,
        `${url}/`,
        `${url}/more`,
        'https://registered.example/',
        'https://registered.example/BACK',
        'https://registered.example:8443/back',
        'https://sub.registered.example/back',
        'https://registered.example.evil.example/back',
        'https://registered.example/other/../back/x',
        landing,
      ].map(async (asked) => [asked, (await initiate('platform_a', asked)).status]),
    );
    await two.operate('applications', 'redirect-urls', '--application', 'Mine', '--remove', url);
    expect(verdicts.filter(([, status]) => status === 200).map(([asked]) => asked)).toEqual([
      url,
      `${url}?order=7`,
    ]);
  });

  test('that the platform did not register are not consented to', async () => {
    const { url } = await begin('platform_a');
    url.searchParams.set('redirect_uri', 'https://evil.example/oauth/platform_a/callback');
    const page = await visit(url);
    expect([page.status, page.location]).toEqual([400, null]);
  });
});

describe('4.4 mix-up: each platform has a callback of its own', () => {
  test('and no two are the same', async () => {
    const authorizations = await Promise.all(slotNames.map(begin));
    const { callback_url } = two.service.demo;
    expect(authorizations.map(({ redirectUri }) => redirectUri)).toEqual(
      slotNames.map((slot) => `${callback_url}/oauth/${slot}/callback`),
    );
  });

  test('and a code that comes to another one is handed to nobody', async () => {
    const { url } = await begin('platform_a');
    const back = await giveConsent(url.href);
    const elsewhere = new URL(back.href.replace('platform_a', 'platform_b'));
    const [mixedUp, afterwards] = [await visit(elsewhere), await visit(back)];
    for (const page of [mixedUp, afterwards]) {
      expect([page.status, page.location]).toEqual([400, null]);
      expect(page.text).toContain('This link does not work any more');
    }
  });
});

describe('4.5 code injection: a code', () => {
  test.each<[string, string, (code: string) => string]>([
    ['of another platform', 'platform_b', (code) => code],
    ['that was never given', 'platform_a', () => 'made-up'],
    ['with a character more', 'platform_a', (code) => `${code}x`],
  ])('%s makes no tenant', async (_, from, alter) => {
    const before = await tenantCount();
    const theirs = await giveConsent((await begin(from)).url.href);
    const { redirectUri, state } = await begin('platform_a');
    const code = alter(theirs.searchParams.get('code') ?? '');
    const { location } = await visit(withQuery(redirectUri, { code, state }));
    expect(location).toBe(`${landing}?status=error&error=authorization_failed`);
    expect(await tenantCount()).toBe(before);
  });

  test('that was used does not work in another authorization', async () => {
    const back = await giveConsent((await begin('platform_a')).url.href);
    expect((await visit(back)).location).toContain('status=success');
    const { state } = await begin('platform_a');
    back.searchParams.set('state', state);
    const { location } = await visit(back);
    expect(location).toBe(`${landing}?status=error&error=authorization_failed`);
  });

  test('beside an error is not used', async () => {
    const back = await giveConsent((await begin('platform_a')).url.href);
    back.searchParams.set('error', 'access_denied');
    expect((await visit(back)).location).toBe(`${landing}?status=error&error=access_denied`);
  });
});

describe('4.7 request forgery: a state', () => {
  test('lets one of 16 callbacks through', async () => {
    const back = await giveConsent((await begin('platform_b')).url.href);
    const pages = await Promise.all(Array.from({ length: 16 }, () => visit(back)));
    expect(pages.map(({ status }) => status).sort()).toEqual([303, ...Array(15).fill(400)].sort());
  });

  test.each<[string, (state: string) => Record<string, string>]>([
    ['that is missing', () => ({})],
    ['that is empty', () => ({ state: '' })],
    ['that is unknown', (state) => ({ state: `${state.slice(0, -2)}AA` })],
    ['in other letters', (state) => ({ state: state.toLowerCase() })],
    ['that goes on', (state) => ({ state: `${state}A` })],
    [
      'with a redirect_url beside it',
      () => ({ state: 'x', redirect_url: 'https://evil.example/' }),
    ],
  ])('%s gets the same page, and no redirect', async (_, query) => {
    const { redirectUri, state } = await begin('platform_a');
    const page = await visit(withQuery(redirectUri, { code: 'x', ...query(state) }));
    expect([page.status, page.location]).toEqual([400, null]);
    expect(page.text).toContain('This link does not work any more');
    expect(page.text).not.toContain('evil.example');
  });

  test('given twice does not count', async () => {
    const { redirectUri, state } = await begin('platform_a');
    const page = await visit(`${redirectUri}?code=x&state=${state}&state=${state}`);
    expect([page.status, page.location]).toEqual([400, null]);
  });
});

describe('4.2 and 4.3 leakage: the callback', () => {
  const guards = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };
  const guardsOf = (headers: Headers) =>
    Object.fromEntries(Object.keys(guards).map((name) => [name, headers.get(name)]));

  test('passes on no code, state or token, to the application or in a Referer', async () => {
    const back = await giveConsent((await begin('platform_c')).url.href);
    const { status, location, headers, text } = await visit(back);
    // 303, so that no browser repeats a form (section 4.12).
    expect(status).toBe(303);
    const to = new URL(location ?? '');
    expect(`${to.origin}${to.pathname}`).toBe(landing);
    expect([...to.searchParams.keys()]).toEqual(['status', 'domain_url']);
    expect(guardsOf(headers)).toEqual(guards);
    expect(text).toBe('');
  });

  test('shows a page that loads nothing, runs nothing and names nothing', async () => {
    const { redirectUri } = await begin('platform_c');
    const script = '<script>alert(1)</script>';
    const { headers, text } = await visit(withQuery(redirectUri, { state: script, code: script }));
    expect(guardsOf(headers)).toEqual(guards);
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(text).not.toMatch(/<script|<img|<link|<iframe|href=|src=/);
  });

  test.each(['POST', 'PUT', 'HEAD', 'OPTIONS'])('does nothing for %s', async (method) => {
    const back = await giveConsent((await begin('platform_a')).url.href);
    const refused = await fetch(back, { method, redirect: 'manual' });
    expect([refused.status, refused.headers.get('Allow')]).toEqual([405, 'GET']);
    expect((await visit(back)).location).toContain('status=success');
  });
});

describe('4.3.2 tokens and secrets', () => {
  test.each(slotNames)('are in no URL that is called at %s', async (slot) => {
    const server = await startFakeServer({ status: 401, body: '{"error":"invalid_grant"}' });
    const platforms = openPlatforms({
      slots: testSlots(server.url),
      clients: fixedSecret(sandboxClients),
    });
    const platform = await platforms.get(slot);
    const [companyId, dataCenter] = companies[slot];
    const access = { companyId, dataCenter, accessToken: 'secret-access-1' };
    const callback = new URLSearchParams({ realmId: companyId });
    const redirectUri = 'https://callback.example/';
    await Promise.allSettled([
      platform.connect({ code: 'secret-code-1', redirectUri, callback }),
      platform.refresh({ refreshToken: 'secret-refresh-1', dataCenter }),
      platform.company(access),
      platform.accountPage(access, null),
      platform.journalPage(access, null),
    ]);
    expect(server.requests.length).toBeGreaterThanOrEqual(5);
    for (const { path } of server.requests) {
      expect(decodeURIComponent(path ?? '')).not.toMatch(/secret-|s:platform/);
    }
    await server.stop();
  });
});

describe('4.14 refresh tokens', () => {
  test.each([
    ['platform_a', true],
    ['platform_b', true],
    ['platform_c', false],
  ] as const)('of %s are replaced at each use: %s', async (slot, replaced) => {
    const clock = { now: new Date('2026-03-23T09:30:00.000Z') };
    const sandbox = await startTestSandbox({ clock: () => clock.now, refreshGraceSeconds: 5 });
    const url = `${sandbox.baseUrl(slot)}/test-grants`;
    const grant = (await (await fetch(url, { method: 'POST' })).json()) as Record<string, string>;
    const platform = await sandbox.platforms.get(slot);
    const dataCenter = grant.data_center ?? null;
    const held = { refreshToken: grant.refresh_token ?? '', dataCenter };
    const renewed = await platform.refresh(held);
    expect(renewed.refreshToken !== held.refreshToken).toBe(replaced);
    clock.now = new Date(clock.now.getTime() + 6_000);
    const again = platform.refresh(held);
    if (replaced) await expect(again).rejects.toMatchObject({ reason: 'credentials_refused' });
    else await expect(again).resolves.toMatchObject({ refreshToken: held.refreshToken });
    await expect(platform.refresh({ ...renewed, dataCenter })).resolves.toBeDefined();
    await sandbox.stop();
  });
});
