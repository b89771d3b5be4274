// OWASP API Security Top 10 (2023), risks 1 to 9, over HTTP. Risk 5 continues in
// read-only-keys.test.ts, and risk 10 is in hostile-platforms.test.ts.

import { afterAll, describe, expect, test } from 'vitest';
import { functions, functionsOfKind } from '#infra/manifest/manifest.ts';
import { stages } from '#infra/manifest/stages.ts';
import { apiKeyText } from '#shared/applications/api-keys.ts';
import { ada, manualTenant } from '../support/builders/requests.ts';
import { startFakeServer } from '../support/servers/fake-server.ts';
import {
  balancedEntry,
  callTenant,
  openTwoApplications,
  problemsOf,
  rawRequest,
  type TwoApplications,
  tenantEndpoints,
  verdictOf,
  withoutRequestId,
} from './two-applications.ts';

const two = await openTwoApplications();
afterAll(two.stop);

const unknownKey = apiKeyText({ keyId: '0'.repeat(24), secret: '0'.repeat(64) });
/** The secret of a key, without its checksum. */
const secretOf = (apiKey: string): string => (apiKey.split('_')[2] ?? '').slice(0, 64);

const { base_url } = two.service.demo;
const ownKey = { 'X-API-Key': two.keys.mine.api_key };

const postJson = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(`${base_url}/external/v1/${path}`, {
    method: 'POST',
    headers: { ...ownKey, 'Content-Type': 'application/json', ...headers },
    body,
  });

/** Requests an exact path, without a body. */
const ask = (method: string, path: string, headers: Record<string, string> = ownKey) =>
  rawRequest(base_url, { method, path, headers: { 'Content-Length': '0', ...headers } });

describe.each(tenantEndpoints)('API1 broken object level authorization: $name', (endpoint) => {
  const { domain_url } = two.entry;
  const verdict = async (application: TwoApplications['mine'], input: Record<string, string>) => {
    const { status, body } = await callTenant(application, endpoint, input);
    return { status, body: { ...body, error: { ...body.error, request_id: undefined } } };
  };
  /** The problems of a request with an unknown field and this domain. */
  const problems = async (domain: { domain_url?: string }) => {
    const { body } = await verdict(two.mine, { ...domain, unknown: '1' });
    return problemsOf(body).sort();
  };

  test("answers another application's tenant like one that does not exist", async () => {
    // Only the tenant is not the caller's own.
    const user_id = two.theirUserId;
    const request = { ...endpoint.request, ...('user_id' in endpoint.request && { user_id }) };
    const attempted = await verdict(two.theirs, { ...request, domain_url });
    expect(verdictOf(attempted)).toEqual([404, 'tenant_not_found']);
    for (const absent of ['no-such-books', `${domain_url}.other.example`]) {
      expect(await verdict(two.theirs, { ...request, domain_url: absent })).toEqual(attempted);
    }
  });

  test('names a tenant that is missing, unknown or unreadable beside other problems', async () => {
    const own = await problems({ domain_url });
    expect(own).toContain('unknown_field /unknown');
    const inCapitals = `${domain_url}.${stages.local.baseDomain}`.toUpperCase();
    expect(await problems({ domain_url: inCapitals })).toEqual(own);
    expect(await problems({})).toEqual([...own, 'required /domain_url'].sort());
    expect(await problems({ domain_url: 'a b' })).toEqual(
      [...own, 'domain_not_valid /domain_url'].sort(),
    );
    for (const absent of ['no-such-books', `${domain_url}.other.example`]) {
      expect(await problems({ domain_url: absent })).toContain('tenant_not_found /domain_url');
    }
  });
});

describe('API1 broken object level authorization: another application', () => {
  test.each<[string, string, object, object]>([
    ['looks up a user', 'users/profile/', { email: ada.email }, { email: 'nobody@example.com' }],
    [
      'creates a tenant for a user',
      'tenants/create/',
      { ...manualTenant, user_id: two.userId },
      { user_id: 12345 },
    ],
    ...['link', 'unlink'].map((verb): [string, string, object, object] => [
      `${verb}s a user`,
      `tenants/${verb}/`,
      { domain_url: two.entry.domain_url, user_id: two.userId },
      { user_id: 12345 },
    ]),
  ])('%s: like one that does not exist', async (_, path, body, absent) => {
    const attempted = await two.theirs(path, { body });
    const made = await two.theirs(path, { body: { ...body, ...absent } });
    expect(attempted.status).toBe(404);
    expect(withoutRequestId(attempted.body)).toEqual(withoutRequestId(made.body));
  });

  test('starts an authorization for a user: like one that does not exist', async () => {
    const ask = (userId: string) =>
      two.theirs(`oauth/platform_a/initiate/?user_id=${userId}&cash_flow_method=direct`);
    const [attempted, made] = [await ask(two.userId), await ask('12345')];
    expect(verdictOf(attempted)).toEqual([404, 'user_not_found']);
    expect(withoutRequestId(attempted.body)).toEqual(withoutRequestId(made.body));
  });

  test('registers the same address and gets its own user without tenants', async () => {
    const ensured = await two.theirs('users/ensure/', { body: ada });
    expect(ensured.body.data).toMatchObject({ created: true });
    expect(ensured.body.data.user_id).not.toBe(two.userId);
    const profile = await two.theirs('users/profile/', { body: { email: ada.email } });
    expect(profile.body.data).toMatchObject({ tenant_count: 0, tenants: [] });
  });
});

describe('API2 broken authentication: a key', () => {
  const { mine, theirs } = two.keys;
  test.each([
    ['that is missing', ''],
    ['that is a word', 'secret'],
    ['with one digit changed', mine.api_key.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))],
    [
      "with another application's secret",
      apiKeyText({ keyId: mine.key_id, secret: secretOf(theirs.api_key) }),
    ],
  ])('%s is refused with the same message', async (_, api_key) => {
    const reply = await two.as({ api_key })('users/ensure/', { body: ada });
    const known = await two.as({ api_key: unknownKey })('users/ensure/', { body: ada });
    expect(verdictOf(reply)).toEqual([401, 'api_key_not_accepted']);
    expect(withoutRequestId(reply.body)).toEqual(withoutRequestId(known.body));
  });

  test('that is missing is the only problem reported, even for a binary body', async () => {
    const reply = await postJson('users/ensure/', Buffer.from([0xff, 0xfe]), { 'X-API-Key': '' });
    expect([reply.status, await reply.json()]).toMatchObject([
      401,
      { error: { code: 'api_key_not_accepted' } },
    ]);
  });

  test('that was revoked is refused, unless the gateway has cached it', async () => {
    const [unused, cached] = [await two.issueKey('Mine'), await two.issueKey('Mine')];
    const call = (key: { api_key: string }) => two.as(key)('users/ensure/', { body: ada });
    expect((await call(cached)).status).toBe(200);
    for (const { key_id } of [unused, cached]) {
      await two.operate('keys', 'revoke', '--key', key_id);
    }
    expect(verdictOf(await call(unused))).toEqual([401, 'api_key_not_accepted']);
    expect((await call(cached)).status).toBe(200);
    expect((await call(two.keys.mine)).status).toBe(200);
  });

  test('of a suspended application is refused with 403, without details', async () => {
    const key = await two.register('Suspended');
    await two.operate('applications', 'suspend', '--application', 'Suspended');
    const reply = await two.as(key)('users/ensure/', { body: {} });
    expect(verdictOf(reply)).toEqual([403, 'application_suspended']);
    expect(reply.body.error.details).toEqual([]);
  });
});

describe('API3 broken object property level authorization: a caller', () => {
  test.each<[string, string, object, string[]]>([
    ['a user', 'users/ensure/', ada, ['user_id', 'created', 'application_id', 'tenant_count']],
    ['a profile', 'users/profile/', { email: ada.email }, ['application_id', 'user_id']],
    [
      'a tenant',
      'tenants/create/',
      manualTenant,
      ['schema_name', 'tenant_domain_url', 'status', 'application_id', 'created_at'],
    ],
    [
      'an entry',
      'journal_entries/create/',
      balancedEntry,
      ['journal_number', 'exchange_rate_source', 'status', 'reporting_amount', 'entry_type'],
    ],
  ])('cannot set the fields of %s that the service sets', async (_, path, fields, own) => {
    const body = { ...fields, ...Object.fromEntries(own.map((name) => [name, '1'])) };
    const reply = await two.mine(path, { body: { user_id: two.userId, ...body } });
    expect(verdictOf(reply)).toEqual([422, 'validation_failed']);
    const unknown = own.filter((name) => path !== 'tenants/create/' || name !== 'user_id');
    expect(problemsOf(reply.body)).toEqual(
      expect.arrayContaining(unknown.map((name) => `unknown_field /${name}`)),
    );
  });

  test('cannot set such fields in a line or through a prototype', async () => {
    const line = { ...balancedEntry.entries[0], reporting_debit: '9.00' };
    const body = JSON.stringify({ ...two.entry, entries: [line, balancedEntry.entries[1]] });
    const response = await postJson(
      'journal_entries/create/',
      body.replace('"reporting_debit"', '"__proto__":{"credit":"1.00"},"reporting_debit"'),
    );
    const reply = (await response.json()) as Parameters<typeof problemsOf>[0];
    expect([response.status, problemsOf(reply).sort()]).toEqual([
      422,
      ['unknown_field /entries/0/__proto__', 'unknown_field /entries/0/reporting_debit'],
    ]);
  });

  test('never gets a password back nor changes one, at ensure and profile', async () => {
    const body = { ...ada, password: 'another horse' };
    const [ensured, profile] = [
      await two.mine('users/ensure/', { body }),
      await two.mine('users/profile/', { body: { email: ada.email } }),
    ];
    expect(ensured.body.data).toEqual({
      user_id: two.userId,
      email: ada.email,
      created: false,
    });
    expect(Object.keys(profile.body.data).sort()).toEqual(
      ['email', 'next_cursor', 'tenant_count', 'tenants', 'user_id'].sort(),
    );
  });
});

describe('API4 unrestricted resource consumption: a request', () => {
  test.each<[string, string, number, string]>([
    [
      'that is nested 100,000 deep',
      `{"memo":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      422,
      'validation_failed',
    ],
    ['that is nested and not closed', '['.repeat(200_000), 400, 'malformed_json'],
  ])('%s is refused', async (_, body, status, code) => {
    const response = await postJson('journal_entries/create/', body);
    const reply = { status: response.status, body: JSON.parse(await response.text()) };
    expect(verdictOf(reply)).toEqual([status, code]);
  });

  test('that is compressed is not unpacked', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    const response = await postJson('journal_entries/create/', JSON.stringify(two.entry), headers);
    // The body is plain JSON despite its header, and is read as such.
    expect(response.status).toBe(200);
  });
});

const paths = functionsOfKind('api').map(({ trigger }) => ({
  path: trigger.path.replace('{platform}', 'platform_a'),
  method: trigger.method,
}));

describe('API5 broken function level authorization: a caller', () => {
  const otherMethods = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'POST'];

  test.each(paths)('reaches $path by $method only', async ({ path, method }) => {
    for (const other of otherMethods.filter((name) => name !== method)) {
      const headers = { ...ownKey, 'X-HTTP-Method-Override': method };
      const reply = await ask(other, `${path}/`, headers);
      expect([other, reply.status]).toEqual([other, 404]);
    }
  });

  const inner = Object.entries(functions).filter(([, { trigger }]) => trigger.kind !== 'api');

  test.each(inner)('cannot call %s', async (name, { trigger }) => {
    const path = 'path' in trigger ? trigger.path.replace('{platform}', 'platform_a') : '';
    for (const tried of [`/${name}`, `/external/v1/${name}/`, `/schedules/${name}`, path]) {
      if (tried === '') continue;
      const reply = await ask('POST', tried);
      expect([tried, reply.status]).toEqual([tried, 404]);
    }
  });
});

describe('API6 unrestricted access to sensitive business flows: a caller that repeats', () => {
  test('the creation of a tenant with its Idempotency-Key gets the same one', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const body = { ...manualTenant, company_name: 'Once', user_id: two.userId };
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => two.mine('tenants/create/', { body, headers })),
    );
    expect(new Set(replies.map((reply) => reply.body.data?.tenant_domain_url)).size).toBe(1);
    const stolen = await two.theirs('tenants/create/', { body, headers });
    expect(verdictOf(stolen)).toEqual([404, 'user_not_found']);
  });
});

describe('API7 server side request forgery: nothing is requested from', () => {
  test('a redirect_url or an address in a callback', async () => {
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

  /** Valid tokens: only the tested field can be refused. */
  const grantAt = async (slot: string): Promise<object> => {
    const { sandbox_url } = two.service.demo;
    const granted = await fetch(`${sandbox_url}/${slot}/test-tokens`, { method: 'POST' });
    return (await granted.json()) as object;
  };

  const company = (platform: string, id: string) => ({ platform, platform_company_id: id });
  const refused = ['platform_refused_credentials', '/platform_company_id'] as const;

  test.each<[string, { platform: string; data_center?: string }, string, string]>([
    [
      'an unknown data_center',
      { platform: 'platform_c', data_center: 'evil.example' },
      'validation_failed',
      '/data_center',
    ],
    ['a company id with a path', company('platform_b', '../../../internal'), ...refused],
    ['a company id with a host', company('platform_b', '@evil.example/'), ...refused],
    ['a company id with a query', company('platform_c', '1&organization_id=2'), ...refused],
    ['a company id with a header', company('platform_a', 'x: y'), ...refused],
  ])('%s', async (_, fields, code, pointer) => {
    const grant = await grantAt(fields.platform);
    const body = { ...manualTenant, user_id: two.userId, ...grant, ...fields };
    const reply = await two.mine('tenants/create/', { body });
    expect(verdictOf(reply)).toEqual([422, code]);
    expect(problemsOf(reply.body).join()).toContain(pointer);
  });
});

describe('API8 security misconfiguration: every reply', () => {
  const shown =
    /^(?:cache-control|connection|content-type|date|keep-alive|transfer-encoding|x-content-.*)$/;
  const ours = /^(?:x-amzn-requestid|idempotent-replayed|retry-after)$/;

  test.each<[string, Parameters<TwoApplications['mine']>, number]>([
    ['success', ['users/ensure/', { body: ada }], 200],
    ['400', ['users/ensure/', { method: 'POST' }], 400],
    ['401', ['users/ensure/', { body: ada, headers: { 'X-API-Key': '' } }], 401],
    ['404 of a route', ['nothing/'], 404],
    ['404 of a user', ['users/profile/', { body: { email: 'a@b.example' } }], 404],
    ['422', ['users/ensure/', { body: {} }], 422],
  ])(
    '%s: no caching, no type sniffing, no software names and no CORS',
    async (_, [path, options], status) => {
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

  test('echoes no Host and no forwarded address into a redirect_uri', async () => {
    const query = `user_id=${two.userId}&cash_flow_method=direct`;
    const reply = await ask('GET', `/external/v1/oauth/platform_a/initiate/?${query}`, {
      ...ownKey,
      Host: 'localhost:666',
      'X-Forwarded-Host': 'evil.example',
      Forwarded: 'host=evil.example',
    });
    expect([reply.status, /evil|666/.test(reply.body)]).toEqual([200, false]);
  });
});

describe('API9 improper inventory management: 404 at', () => {
  test.each([
    ...['/', '/external', '/external/v1/', '/external/v1/tenants/', '/users/ensure/'],
    ...['/external/v0/users/ensure/', '/external/v2/users/ensure/', '/internal/v1/users/ensure/'],
    ...['/EXTERNAL/V1/USERS/ENSURE/', '//external/v1/users/ensure/', '/external/v1/users/ensure//'],
    ...['/external/v1/users/ensure/extra/', '/external/v1/users/ensure;v=2'],
    ...['/external/v1/users%2Fensure/', '/external/v1/users/ensure/%00'],
    ...['/external/v1/oauth/platform_a/callback/', '/.env', '/.git/config', '/admin/'],
    ...['/metrics', '/health', '/debug/pprof/'],
  ])('%s, with a key and without', async (path) => {
    for (const key of [two.keys.mine.api_key, '']) {
      const reply = await ask('POST', path, { 'X-API-Key': key });
      expect([reply.status, JSON.parse(reply.body).error.code]).toEqual([404, 'route_not_found']);
    }
  });
});
