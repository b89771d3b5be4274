// OWASP API Security Top 10 (2023), risks 1 to 6, over HTTP: each row says what is tried, and what
// comes of it. Risks 7 to 10 are in owasp-api-top-ten-outside.test.ts.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHandler } from '#functions/authorizer/handler.ts';
import { functions, functionsOfKind } from '#infra/manifest.ts';
import { hashApiKey, newApiKey, newApplicationId } from '#shared/domain/api-keys.ts';
import type { VersionedKeys } from '#shared/secrets.ts';
import { openApplications } from '#shared/store/applications.ts';
import { fixedSecret, newKeys } from '../support/builders/secrets.ts';
import { openTestTable } from '../support/dynamodb/test-table.ts';
import { authorizerEvent, lambdaContext } from '../support/events/lambda-events.ts';
import { call } from '../support/harnesses/echo-endpoint.ts';
import { keepLog } from '../support/recorders/log.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';
import {
  ada,
  balancedEntry,
  type IssuedKey,
  manualTenant,
  openTwoApplications,
  problemsOf,
  rawRequest,
  type TwoApplications,
  verdictOf,
  withoutRequestId,
} from './two-applications.ts';

let two: TwoApplications;
let expiring: IssuedKey;
let expiringAt: number;

beforeAll(async () => {
  two = await openTwoApplications();
  // Long enough for the operator's tool to start; other tests run while it lasts.
  expiringAt = Date.now() + 10_000;
  const words = ['--expires-at', new Date(expiringAt).toISOString()];
  expiring = await two.issueKey('Mine', ...words);
});

afterAll(async () => {
  await two.stop();
});

const unknownKey = `lk_${'0'.repeat(24)}_${'0'.repeat(64)}`;

describe('API1 broken object level authorization: another application', () => {
  test.each<[string, (ids: TwoApplications) => Parameters<TwoApplications['theirs']>, object]>([
    [
      'looks up a user by email',
      () => ['users/profile/', { body: { email: ada.email } }],
      { email: 'nobody@example.com' },
    ],
    [
      'creates a tenant for a user',
      ({ userId }) => ['tenants/create/', { body: { ...manualTenant, user_id: userId } }],
      { user_id: 12345 },
    ],
    [
      'posts into a tenant by its prefix',
      ({ entry }) => ['journal_entries/create/', { body: entry }],
      { domain_url: 'no-such-books' },
    ],
    [
      'posts into a tenant by its prefix in capitals',
      ({ entry, prefix }) => [
        'journal_entries/create/',
        { body: { ...entry, domain_url: prefix.toUpperCase() } },
      ],
      { domain_url: 'NO-SUCH-BOOKS' },
    ],
    [
      'asks for an entry again by its external_id',
      ({ entry }) => ['journal_entries/create/', { body: { ...entry, memo: 'Whatever' } }],
      { domain_url: 'no-such-books' },
    ],
  ])('%s: as if it did not exist', async (_, attempt, absent) => {
    const [path, { body = {} } = {}] = attempt(two);
    const attempted = await two.theirs(path, { body });
    const made = await two.theirs(path, { body: { ...(body as object), ...absent } });
    expect(attempted.status).toBe(404);
    expect(withoutRequestId(attempted.body)).toEqual(withoutRequestId(made.body));
  });

  test('starts an authorization for a user: as if it did not exist', async () => {
    const ask = (userId: string) =>
      two.theirs(`oauth/platform_a/initiate/?user_id=${userId}&cash_flow_method=direct`);
    const [attempted, made] = [await ask(two.userId), await ask('12345')];
    expect(verdictOf(attempted)).toEqual([404, 'user_not_found']);
    expect(withoutRequestId(attempted.body)).toEqual(withoutRequestId(made.body));
  });

  test('registers the same address: a user of its own, without the other tenants', async () => {
    const ensured = await two.theirs('users/ensure/', { body: ada });
    expect(ensured.body.data).toMatchObject({ created: true });
    expect(ensured.body.data.user_id).not.toBe(two.userId);
    const profile = await two.theirs('users/profile/', { body: { email: ada.email } });
    expect(profile.body.data).toMatchObject({ tenant_count: 0, tenants: [] });
  });
});

describe('API2 broken authentication: a key', () => {
  const altered = (key: string): string => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');

  test.each<[string, () => Promise<string | undefined> | string]>([
    ['that is missing', () => ''],
    ['that is a word', () => 'secret'],
    ['without its prefix', () => two.keys.mine.api_key.slice(3)],
    ['in capitals', () => two.keys.mine.api_key.toUpperCase()],
    ['that is cut short', () => two.keys.mine.api_key.slice(0, -1)],
    ['that goes on', () => `${two.keys.mine.api_key}0`],
    ['that is given twice', () => `${two.keys.mine.api_key}, ${two.keys.mine.api_key}`],
    ['that is unknown', () => unknownKey],
    [
      'of our application that it was never given',
      () => newApiKey(two.keys.mine.application_id, randomBytes).apiKey,
    ],
    ['with one digit of its secret changed', () => altered(two.keys.mine.api_key)],
    [
      "with another application's secret",
      () => `lk_${two.keys.mine.key_id}_${two.keys.theirs.api_key.split('_')[2]}`,
    ],
    [
      'that was revoked',
      async () => {
        const { api_key, key_id } = await two.issueKey('Mine');
        await two.operate('keys', 'revoke', '--key', key_id);
        return api_key;
      },
    ],
    [
      'that has expired',
      async () => {
        await expect.poll(() => Date.now() >= expiringAt, { timeout: 15_000 }).toBe(true);
        return expiring.api_key;
      },
    ],
  ])('%s is refused in the same words', async (_, make) => {
    const reply = await two.as({ api_key: (await make()) ?? '' })('users/ensure/', { body: ada });
    const known = await two.as({ api_key: unknownKey })('users/ensure/', { body: ada });
    expect(verdictOf(reply)).toEqual([401, 'api_key_not_accepted']);
    expect(withoutRequestId(reply.body)).toEqual(withoutRequestId(known.body));
  });

  test('that is missing is all that is said, even of a body that is no text', async () => {
    const reply = await fetch(`${two.service.demo.base_url}/external/v1/users/ensure/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.from([0xff, 0xfe]),
    });
    expect([reply.status, await reply.json()]).toMatchObject([
      401,
      { error: { code: 'api_key_not_accepted' } },
    ]);
  });

  test('whose hash was made under the pepper of another stage is refused', async () => {
    const database = await openTestTable();
    const applications = openApplications(database.table);
    const applicationId = newApplicationId(randomBytes);
    const { keyId, apiKey } = newApiKey(applicationId, randomBytes);
    const [ours, elsewhere] = [newKeys('1'), newKeys('1')];
    const createdAt = '2026-03-23T09:30:00.000Z';
    const application = {
      applicationId,
      name: 'Moved',
      status: 'active',
      redirectUrls: [],
    } as const;
    await applications.record({ ...application, redirectUrls: [], createdAt });
    const hash = hashApiKey(apiKey, Buffer.from(elsewhere.versions['1'] ?? '', 'base64'));
    const kept = { keyId, applicationId, hash, pepperVersion: '1', createdAt };
    await applications.recordKey({ ...kept, expiresAt: null, revokedAt: null });
    const decideUnder = (pepper: VersionedKeys) => {
      const telemetry = { log: keepLog(), metrics: keepMetrics() };
      const clock = () => new Date(createdAt);
      return createHandler({ applications, pepper: fixedSecret(pepper), clock, ...telemetry })(
        authorizerEvent(apiKey),
        lambdaContext(),
      );
    };
    await expect(decideUnder(ours)).rejects.toThrow('Unauthorized');
    await expect(decideUnder(elsewhere)).resolves.toMatchObject({ principalId: applicationId });
  });

  test.each<[string, string, () => Record<string, string>]>([
    ['Authorization: Bearer', '', () => ({ Authorization: `Bearer ${two.keys.mine.api_key}` })],
    ['the query', '?X-API-Key=', () => ({})],
    ['a cookie', '', () => ({ Cookie: `X-API-Key=${two.keys.mine.api_key}` })],
  ])('in %s does not count', async (_, query, headers) => {
    const path = `users/ensure/${query && query + two.keys.mine.api_key}`;
    const reply = await two.as({ api_key: '' })(path, { body: ada, headers: headers() });
    expect(verdictOf(reply)).toEqual([401, 'api_key_not_accepted']);
  });

  test('of a suspended application is refused with 403, and nothing else is said', async () => {
    const key = await two.issueKey('Suspended');
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
      ['journal_number', 'exchange_rate', 'status', 'reporting_amount', 'entry_type'],
    ],
  ])('cannot set what %s has of the service', async (_, path, fields, own) => {
    const body = { ...fields, ...Object.fromEntries(own.map((name) => [name, '1'])) };
    const reply = await two.mine(path, { body: { user_id: two.userId, ...body } });
    expect(verdictOf(reply)).toEqual([422, 'validation_failed']);
    const unknown = own.filter((name) => path !== 'tenants/create/' || name !== 'user_id');
    expect(problemsOf(reply.body)).toEqual(
      expect.arrayContaining(unknown.map((name) => `unknown_field /${name}`)),
    );
  });

  test('cannot set them in a line or through a prototype', async () => {
    const line = JSON.parse('{"account":"1010","debit":"1.00","__proto__":{"credit":"1.00"}}');
    const entries = [{ ...line, reporting_debit: '9.00' }, balancedEntry.entries[1]];
    const body = JSON.stringify({ ...two.entry, entries });
    const response = await fetch(
      `${two.service.demo.base_url}/external/v1/journal_entries/create/`,
      {
        method: 'POST',
        headers: { 'X-API-Key': two.keys.mine.api_key, 'Content-Type': 'application/json' },
        body: body.replace('"reporting_debit"', '"__proto__":{"credit":"1.00"},"reporting_debit"'),
      },
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
      ['email', 'tenant_count', 'tenants', 'user_id'].sort(),
    );
  });
});

describe('API4 unrestricted resource consumption: a request', () => {
  const send = async (body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(
      `${two.service.demo.base_url}/external/v1/journal_entries/create/`,
      {
        method: 'POST',
        headers: {
          'X-API-Key': two.keys.mine.api_key,
          'Content-Type': 'application/json',
          ...headers,
        },
        body,
      },
    );
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const entryWith = (changes: object) => JSON.stringify({ ...two.entry, ...changes });
  const line = { account: '1010', debit: '1.00' };

  test.each<[string, () => string, number, string]>([
    [
      'of more than 256 KB',
      () => entryWith({ memo: 'x'.repeat(256 * 1024) }),
      413,
      'body_too_large',
    ],
    ['of more than 10 MB', () => 'x'.repeat(10 * 1024 * 1024 + 1), 413, 'body_too_large'],
    [
      'that is nested 100,000 deep',
      () => `{"memo":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      422,
      'validation_failed',
    ],
    ['that is nested and never closed', () => '['.repeat(200_000), 400, 'malformed_json'],
    ['of 501 lines', () => entryWith({ entries: Array(501).fill(line) }), 422, 'validation_failed'],
    [
      'with a number of 100,000 digits',
      () => entryWith({}).replace('"1.00"', '9'.repeat(100_000)),
      422,
      'validation_failed',
    ],
    [
      'with 10,000 unknown fields',
      () => entryWith(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`f${n}`, 1]))),
      422,
      'validation_failed',
    ],
  ])('%s is refused', async (_, make, status, code) => {
    const reply = await send(make());
    expect(verdictOf(reply)).toEqual([status, code]);
    expect(reply.body.error.details.length).toBeLessThanOrEqual(100);
  });

  test('that is compressed is not unpacked', async () => {
    const reply = await send(entryWith({}), { 'Content-Encoding': 'gzip' });
    // The body is read as it came: whoever sends gzip with this header sends no JSON.
    expect(verdictOf(reply)).toEqual([200, 'success']);
  });

  test.each([
    ['password', 129],
    ['first_name', 101],
    ['email', 255],
  ])('with a %s of %i characters is refused before anything is hashed', async (field, length) => {
    const reply = await two.mine('users/ensure/', {
      body: { ...ada, [field]: 'x'.repeat(length) },
    });
    expect(problemsOf(reply.body)).toContain(`too_long /${field}`);
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
      const reply = await rawRequest(two.service.demo.base_url, {
        method: other,
        path: `${path}/`,
        headers: {
          'X-API-Key': two.keys.mine.api_key,
          'X-HTTP-Method-Override': method,
          'Content-Length': '0',
        },
      });
      expect([other, reply.status]).toEqual([other, 404]);
    }
  });

  test('without the authorizer’s word is refused by the function itself', async () => {
    const { log: _log, ...reply } = await call({ body: { note: 'x' }, withoutCaller: true });
    expect(reply).toMatchObject({ status: 401, body: { error: { code: 'api_key_not_accepted' } } });
  });

  const inner = Object.entries(functions).filter(([, { trigger }]) => trigger.kind !== 'api');

  test.each(inner)('cannot call %s', async (name, { trigger }) => {
    const path = 'path' in trigger ? trigger.path.replace('{platform}', 'platform_a') : '';
    for (const tried of [`/${name}`, `/external/v1/${name}/`, `/schedules/${name}`, path]) {
      if (tried === '') continue;
      const reply = await rawRequest(two.service.demo.base_url, {
        method: 'POST',
        path: tried,
        headers: { 'X-API-Key': two.keys.mine.api_key, 'Content-Length': '0' },
      });
      expect([tried, reply.status]).toEqual([tried, 404]);
    }
  });
});

describe('API6 unrestricted access to sensitive business flows: whoever repeats', () => {
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
