// OWASP API Security Top 10 (2023), risks 7 to 10: what is reached from here, what is shown, what
// there is at all, and what is believed. Each row says what is tried, and what comes of it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import { openPlatforms } from '#shared/platforms/registry.ts';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { fixedSecret } from '../support/builders/secrets.ts';
import { testSlots } from '../support/builders/slots.ts';
import { call } from '../support/harnesses/echo-endpoint.ts';
import { type FakeReply, startFakeServer } from '../support/servers/fake-server.ts';
import { sandboxClients } from '../support/servers/sandbox.ts';
import {
  ada,
  manualTenant,
  openTwoApplications,
  problemsOf,
  rawRequest,
  type TwoApplications,
  verdictOf,
} from './two-applications.ts';

let two: TwoApplications;

beforeAll(async () => {
  two = await openTwoApplications();
});

afterAll(async () => {
  await two.stop();
});

describe('API7 server side request forgery: nothing is fetched from', () => {
  test('a redirect_url, nor from what a callback names', async () => {
    const bait = await startFakeServer();
    const { body } = await two.mine(
      `oauth/platform_c/initiate/?${new URLSearchParams({
        user_id: two.userId,
        cash_flow_method: 'direct',
        redirect_url: `${bait.url}/landing`,
      })}`,
    );
    const authorization = new URL(body.data.authorization_url).searchParams;
    const callback = new URL(authorization.get('redirect_uri') ?? '');
    callback.search = new URLSearchParams({
      code: 'x',
      state: authorization.get('state') ?? '',
      'accounts-server': bait.url,
      location: 'eu',
    }).toString();
    const reply = await fetch(callback, { redirect: 'manual' });
    expect([reply.status, reply.headers.get('Location')]).toEqual([
      303,
      `${bait.url}/landing?status=error&error=platform_failed`,
    ]);
    expect(bait.requests).toEqual([]);
    await bait.stop();
  });

  /** Tokens that are good, so that nothing but the field can be refused. */
  const grantAt = async (slot: string): Promise<object> => {
    const { sandbox_url } = two.service.demo;
    const granted = await fetch(`${sandbox_url}/${slot}/test-grants`, { method: 'POST' });
    return (await granted.json()) as object;
  };

  test.each<[string, { platform: string; [field: string]: string }, string, string]>([
    [
      'a data_center that is no name',
      { platform: 'platform_c', data_center: 'evil.example' },
      'validation_failed',
      '/data_center',
    ],
    [
      'a company id with a path',
      { platform: 'platform_b', platform_company_id: '../../../internal' },
      'platform_refused_credentials',
      '/platform_company_id',
    ],
    [
      'a company id with a host',
      { platform: 'platform_b', platform_company_id: '@evil.example/' },
      'platform_refused_credentials',
      '/platform_company_id',
    ],
    [
      'a company id with a query',
      { platform: 'platform_c', platform_company_id: '1&organization_id=2' },
      'platform_refused_credentials',
      '/platform_company_id',
    ],
    [
      'a company id with a header',
      { platform: 'platform_a', platform_company_id: 'x: y' },
      'platform_refused_credentials',
      '/platform_company_id',
    ],
  ])('%s', async (_, fields, code, pointer) => {
    const company = { ...manualTenant, user_id: two.userId };
    const body = { ...company, ...(await grantAt(fields.platform)), ...fields };
    const reply = await two.mine('tenants/create/', { body });
    expect(verdictOf(reply)).toEqual([422, code]);
    expect(problemsOf(reply.body).join()).toContain(pointer);
  });
});

describe('API8 security misconfiguration: every reply', () => {
  const shown =
    /^(?:cache-control|connection|content-type|date|keep-alive|transfer-encoding|x-content-.*)$/;
  const ours = /^(?:x-amzn-requestid|idempotent-replayed|retry-after)$/;

  test.each<[string, () => Parameters<TwoApplications['mine']>, number]>([
    ['success', () => ['users/ensure/', { body: ada }], 200],
    ['400', () => ['users/ensure/', { method: 'POST' }], 400],
    ['401', () => ['users/ensure/', { body: ada, headers: { 'X-API-Key': '' } }], 401],
    ['404 of a route', () => ['nothing/'], 404],
    ['404 of a user', () => ['users/profile/', { body: { email: 'a@b.example' } }], 404],
    ['422', () => ['users/ensure/', { body: {} }], 422],
  ])(
    '%s is not kept by caches or taken for another type, names no software and opens no origin',
    async (_, make, status) => {
      const [path, options] = make();
      const headers = { Origin: 'https://evil.example', ...options?.headers };
      const reply = await two.mine(path, { ...options, headers });
      expect(reply.status).toBe(status);
      expect(reply.headers.get('Cache-Control')).toBe('no-store');
      expect(reply.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(reply.headers.get('Content-Type')).toBe('application/json');
      const names = [...reply.headers.keys()].filter((name) => !shown.test(name));
      expect(names.filter((name) => !ours.test(name))).toEqual([]);
    },
  );

  test.each<[string, unknown]>([
    ['an error', new Error('password=hunter22 at db.internal')],
    ['an error with a cause', new Error('outer', { cause: new Error('hunter22') })],
    ['something that is no error', { secret: 'hunter22' }],
  ])('500 for %s that was thrown says nothing of it', async (_, thrown) => {
    const { log: _log, ...reply } = await call(
      { body: { note: 'x' } },
      { handle: () => Promise.reject(thrown) },
    );
    expect(reply).toMatchObject({ status: 500 });
    expect(JSON.stringify(reply)).not.toMatch(/hunter22|internal\b(?!_)|outer|stack|\.ts/);
  });

  test('echoes no Host and no forwarded address into a redirect_uri', async () => {
    const query = `user_id=${two.userId}&cash_flow_method=direct`;
    const reply = await rawRequest(two.service.demo.base_url, {
      method: 'GET',
      path: `/external/v1/oauth/platform_a/initiate/?${query}`,
      headers: {
        Host: 'evil.example',
        'X-Forwarded-Host': 'evil.example',
        Forwarded: 'host=evil.example',
        'X-API-Key': two.keys.mine.api_key,
      },
    });
    expect([reply.status, reply.body.includes('evil.example')]).toEqual([200, false]);
  });
});

describe('API9 improper inventory management: there is nothing at', () => {
  test.each([
    '/',
    '/external',
    '/external/v1/',
    '/external/v0/users/ensure/',
    '/external/v2/users/ensure/',
    '/internal/v1/users/ensure/',
    '/users/ensure/',
    '/EXTERNAL/V1/USERS/ENSURE/',
    '/external/v1/users/ensure//',
    '//external/v1/users/ensure/',
    '/external/v1/users/ensure/extra/',
    '/external/v1/users/ensure;v=2',
    '/external/v1/users%2Fensure/',
    '/external/v1/users/ensure/%00',
    '/external/v1/oauth/platform_a/callback/',
    '/external/v1/tenants/',
    '/.env',
    '/.git/config',
    '/admin/',
    '/metrics',
    '/health',
    '/debug/pprof/',
  ])('%s, with a key and without', async (path) => {
    for (const key of [two.keys.mine.api_key, '']) {
      const reply = await rawRequest(two.service.demo.base_url, {
        method: 'POST',
        path,
        headers: { 'X-API-Key': key, 'Content-Length': '0' },
      });
      expect([reply.status, JSON.parse(reply.body).error.code]).toEqual([404, 'route_not_found']);
    }
  });
});

const token = 'hostile-platforms-echo-this-token';

/** What an honest platform never answers. */
const hostileReplies: [string, FakeReply][] = [
  ['HTML', { headers: { 'Content-Type': 'text/html' }, body: `<h1>${token}</h1>` }],
  ['nothing', { body: '' }],
  ['no content', { status: 204, body: '' }],
  ['a text', { body: JSON.stringify(token) }],
  ['a list of wrong things', { body: `[null, 1, "${token}", {"tenantId": 7}]` }],
  ['null', { body: 'null' }],
  ['keys of a prototype', { body: `{"__proto__":{"Organisations":["${token}"]}}` }],
  ['nesting without end', { body: '['.repeat(500_000) }],
  ['a reply of 33 MB', { body: `"${'x'.repeat(33 * 1024 * 1024)}"` }],
  ['an error that quotes the token', { status: 400, body: `{"error":"${token}"}` }],
  ['a fault that quotes the token', { status: 500, body: `token ${token} failed` }],
  ['a wait without end', { status: 429, headers: { 'Retry-After': '9'.repeat(400) } }],
  ['a status of its own', { status: 299, body: '{}' }],
];

describe('API10 unsafe consumption of APIs: a platform', () => {
  const companyIds: Record<Slot, string> = {
    platform_a: '5c1d6f0e-8a43-4d0e-9f3c-2b7a51c9e0d4',
    platform_b: '9341453',
    platform_c: '10234695',
  };

  /** Calls the company of a slot's platform, and trades a code there; both must fail. */
  const consume = async (slot: Slot, url: string): Promise<unknown[]> => {
    const platforms = openPlatforms({
      slots: testSlots(url),
      clients: fixedSecret(sandboxClients),
      timeoutMilliseconds: 5_000,
    });
    const platform = await platforms.get(slot);
    const address = {
      companyId: companyIds[slot],
      dataCenter: slot === 'platform_c' ? 'us' : null,
    };
    const redirectUri = 'https://callback.example/oauth/callback';
    const callback = new URLSearchParams({ realmId: address.companyId });
    return Promise.all(
      [
        platform.company({ ...address, accessToken: token }),
        platform.connect({ code: token, redirectUri, callback }),
        platform.refresh({ refreshToken: token, dataCenter: address.dataCenter }),
      ].map((work) => work.catch((error: unknown) => error)),
    );
  };

  const everywhere = hostileReplies.flatMap(([what, reply]) =>
    slotNames.map((slot) => ({ what, slot, reply })),
  );

  test.each(everywhere)('that answers $what fails as such at $slot', async ({ slot, reply }) => {
    const server = await startFakeServer(reply);
    const ended = await consume(slot, server.url);
    for (const error of ended) {
      expect(error).toBeInstanceOf(PlatformFailure);
      const { message, cause, stack } = error as PlatformFailure;
      expect([message, (cause as Error | undefined)?.message, stack].join()).not.toContain(token);
    }
    await server.stop();
  });

  test.each(slotNames)('that redirects is not followed, at %s', async (slot) => {
    const bait = await startFakeServer();
    for (const status of [301, 302, 303, 307, 308]) {
      const headers = { Location: `${bait.url}/collect` };
      const server = await startFakeServer({ status, headers });
      const ended = await consume(slot, server.url);
      expect(ended.every((error) => error instanceof PlatformFailure)).toBe(true);
      await server.stop();
    }
    expect(bait.requests).toEqual([]);
    await bait.stop();
  });

  test('that names another API host for its tokens is not believed', async () => {
    const bait = await startFakeServer();
    const reply = { token_type: 'Bearer', access_token: token, refresh_token: token };
    const server = await startFakeServer({
      body: JSON.stringify({ ...reply, expires_in: 3600, api_domain: bait.url }),
    });
    const [, connected] = await consume('platform_c', server.url);
    expect(connected).toMatchObject({ reason: 'reply_not_understood' });
    expect(server.requests.filter(({ path }) => path?.includes('books'))).toHaveLength(1);
    expect(bait.requests).toEqual([]);
    await Promise.all([bait.stop(), server.stop()]);
  });
});
