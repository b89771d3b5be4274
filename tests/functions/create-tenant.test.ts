import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Dependencies } from '#functions/create-tenant/handler.ts';
import { documentation, Request } from '#functions/create-tenant/schema.ts';
import { defaultChart } from '#shared/domain/default-chart.ts';
import { suffixFrom } from '#shared/domain/domain-names.ts';
import { PlatformFailure, type PlatformFailureReason } from '#shared/platforms/platform.ts';
import { openConnections } from '#shared/store/connections.ts';
import { openImports } from '#shared/store/imports.ts';
import { openSealing, type Sealing } from '#shared/store/sealing.ts';
import { openTenants, type Tenants } from '#shared/store/tenants.ts';
import { openUsers } from '#shared/store/users.ts';
import { openTestTable } from '../support/database.ts';
import { apiEvent, lambdaContext, readResult } from '../support/events.ts';
import { acme, openFakePlatform } from '../support/fake-platform.ts';
import { keepLog } from '../support/log.ts';
import { fixedSecret, newKeys } from '../support/secrets.ts';
import { testSlots } from '../support/slots.ts';

const now = new Date('2026-03-23T09:30:00.000Z');
const jsonHeaders = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

let database: Awaited<ReturnType<typeof openTestTable>>;
let sealing: Sealing;
let tenants: Tenants;
let log: ReturnType<typeof keepLog>;
let fake: ReturnType<typeof openFakePlatform>;
/** A company name that no other test uses. */
let companyName: string;

beforeAll(async () => {
  database = await openTestTable();
  sealing = openSealing(fixedSecret(newKeys('1')));
  tenants = openTenants(database.table, { sealing, newSuffix: () => suffixFrom(randomBytes(6)) });
  for (const [applicationId, userId, email] of [
    ['app1', '41', 'ada@example.com'],
    ['app1', '42', 'bob@example.com'],
    ['app2', '43', 'ada@example.com'],
  ] as const) {
    await openUsers(database.table).record(
      { applicationId, email, firstName: 'A', lastName: 'B', createdAt: now.toISOString() },
      { passwordHash: 'none', newUserId: () => userId },
    );
  }
});

beforeEach(() => {
  log = keepLog();
  companyName = `acme-${suffixFrom(randomBytes(6))}`;
  fake = openFakePlatform({ company: { ...acme, companyId: randomUUID(), name: companyName } });
});

type Options = {
  applicationId?: string;
  idempotencyKey?: string;
} & Partial<Dependencies>;

const create = async (body: unknown, options: Options = {}) => {
  const { applicationId = 'app1', idempotencyKey, ...changes } = options;
  const handler = createHandler({
    tenants,
    slots: testSlots(),
    platforms: fake.platforms,
    clock: () => now,
    newImportId: () => 'import-1',
    log,
    ...changes,
  });
  const headers = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
  return readResult(await handler(apiEvent({ body, applicationId, headers }), lambdaContext()));
};

const problemsOf = ({ body }: Awaited<ReturnType<typeof create>>) =>
  body.error.details.map(({ code, pointer }: Record<string, string>) => [code, pointer]);

const manual = () => ({
  user_id: 41,
  platform: 'manual',
  cash_flow_method: 'indirect',
  company_name: companyName,
  currency: 'EUR',
});

/** A request with tokens that the platform accepts. */
const connected = (platform = 'platform_a') => {
  const { accessToken, refreshToken } = fake.issueTokens();
  return {
    user_id: 41,
    platform,
    cash_flow_method: 'direct',
    access_token: accessToken,
    refresh_token: refreshToken,
    platform_company_id: fake.company.companyId,
  };
};

const nameOf = (schemaName: string) => ({ applicationId: 'app1', schemaName });
const connectionOf = (schemaName: string) =>
  openConnections(database.table, sealing).find(nameOf(schemaName));
const schemaName = () => companyName.replaceAll('-', '_');
const tenantItems = async () => (await database.scan()).filter(({ sk }) => sk === 'TENANT');

describe('a manual tenant', () => {
  test('is created with the default chart and linked to its user', async () => {
    const result = await create(manual());
    expect(result).toEqual({
      status: 200,
      headers: jsonHeaders,
      body: {
        status: 'success',
        status_code: 200,
        data: {
          tenant_domain_url: companyName,
          schema_name: schemaName(),
          platform: 'manual',
        },
      },
    });
    expect(await tenants.find(nameOf(schemaName()))).toEqual({
      ...nameOf(schemaName()),
      prefix: companyName,
      platform: 'manual',
      companyName,
      currency: 'EUR',
      cashFlowMethod: 'indirect',
      status: 'active',
      createdAt: now.toISOString(),
    });
    const items = (await database.scan()).filter(({ pk }) => String(pk).endsWith(schemaName()));
    const codes = items.filter(({ kind }) => kind === 'account').map(({ code }) => code);
    expect(codes.sort()).toEqual(defaultChart.map(({ code }) => code).sort());
    const linked = await openUsers(database.table).findWithTenants({
      applicationId: 'app1',
      email: 'ada@example.com',
    });
    expect(linked?.schemaNames).toContain(schemaName());
    expect(fake.calls).toEqual([]);
  });

  test('may have the user id as text, and a name of which nothing fits into a prefix', async () => {
    const { body } = await create({ ...manual(), user_id: '41', company_name: '株式会社' });
    expect(body.data.tenant_domain_url).toMatch(/^company-[a-z2-9]{6}$/);
  });

  test('gets another prefix where its own is taken, and nobody can tell that it was', async () => {
    await create(manual());
    const { status, headers, body } = await create(
      { ...manual(), user_id: 43 },
      { applicationId: 'app2' },
    );
    expect({ status, headers }).toEqual({ status: 200, headers: jsonHeaders });
    expect(body.data.tenant_domain_url).toMatch(new RegExp(`^${companyName}-[a-z2-9]{6}$`));
  });
});

describe('a tenant of platform_c', () => {
  test('without credentials starts like a manual one', async () => {
    const { body } = await create({ ...manual(), platform: 'platform_c' });
    expect(body.data).toEqual({
      tenant_domain_url: companyName,
      schema_name: schemaName(),
      platform: 'platform_c',
    });
    expect(await tenants.find(nameOf(schemaName()))).toMatchObject({ status: 'active' });
    expect(await connectionOf(schemaName())).toBeUndefined();
    expect(fake.calls).toEqual([]);
  });

  test('with credentials is connected, under the name that the caller gives', async () => {
    const body = {
      ...connected('platform_c'),
      company_name: `Our ${companyName}`,
      currency: 'EUR',
    };
    expect((await create(body)).body.data).toMatchObject({
      tenant_domain_url: `our-${companyName}`,
      platform: 'platform_c',
    });
    expect(await tenants.find(nameOf(`our_${schemaName()}`))).toMatchObject({
      platform: 'platform_c',
      companyName: `Our ${companyName}`,
      currency: 'EUR',
      status: 'importing',
    });
  });

  test("is refused a currency that is not its company's", async () => {
    const before = await database.scan();
    const body = { ...connected('platform_c'), company_name: companyName, currency: 'USD' };
    const result = await create(body);
    expect([result.status, result.body.error.code]).toEqual([422, 'validation_failed']);
    expect(result.body.error.details).toEqual([
      {
        code: 'not_an_allowed_value',
        pointer: '/currency',
        message: 'This value is not one of those allowed.',
        params: { allowed: ['EUR'] },
      },
    ]);
    expect(await database.scan()).toEqual(before);
  });
});

describe.each(['platform_a', 'platform_b'])('a tenant of %s', (platform) => {
  test("has its company's name and currency, its tokens sealed, and is importing", async () => {
    const body = { ...connected(platform), expires_in: 600 };
    const result = await create(body);
    expect(result).toEqual({
      status: 200,
      headers: jsonHeaders,
      body: {
        status: 'success',
        status_code: 200,
        data: { tenant_domain_url: companyName, schema_name: schemaName(), platform },
      },
    });
    expect(await tenants.find(nameOf(schemaName()))).toEqual({
      ...nameOf(schemaName()),
      prefix: companyName,
      platform,
      companyName,
      currency: 'EUR',
      cashFlowMethod: 'direct',
      status: 'importing',
      createdAt: now.toISOString(),
    });
    expect(await connectionOf(schemaName())).toEqual({
      adapter: 'sandbox',
      companyId: fake.company.companyId,
      tokens: {
        accessToken: body.access_token,
        refreshToken: body.refresh_token,
        expiresAt: '2026-03-23T09:40:00.000Z',
      },
      version: 1,
    });
    expect(await openImports(database.table).find(nameOf(schemaName()))).toMatchObject({
      importId: 'import-1',
      status: 'requested',
    });
    expect(fake.calls).toEqual(['company']);
    expect(JSON.stringify([log.lines, result, await database.scan()])).not.toContain('secret-');
  });
});

describe('credentials', () => {
  test('are taken to last half an hour where the caller does not say', async () => {
    await create(connected());
    expect(await connectionOf(schemaName())).toMatchObject({
      tokens: { expiresAt: '2026-03-23T10:00:00.000Z' },
    });
  });

  test('are refreshed once where the access token is refused, and the new ones are kept', async () => {
    const body = connected();
    fake.revokeAccess(body.access_token);
    expect((await create(body)).status).toBe(200);
    expect(fake.calls).toEqual(['company', 'refresh', 'company']);
    const { tokens } = (await connectionOf(schemaName())) ?? {};
    expect(tokens?.accessToken).not.toBe(body.access_token);
    expect(tokens?.refreshToken).not.toBe(body.refresh_token);
    expect(await fake.platform.refresh(tokens?.refreshToken ?? '')).toBeDefined();
  });

  test.each<[string, PlatformFailureReason, [number, string, string[][]]]>([
    [
      'refused',
      'credentials_refused',
      [422, 'platform_refused_credentials', [['credentials_not_accepted', '/access_token']]],
    ],
    [
      'good for another company only',
      'company_not_found',
      [422, 'platform_refused_credentials', [['company_not_found', '/platform_company_id']]],
    ],
    ['met by a limit', 'rate_limited', [502, 'platform_failed', []]],
    ['met by a failure', 'platform_unavailable', [502, 'platform_failed', []]],
    ['answered in another language', 'reply_not_understood', [502, 'platform_failed', []]],
    ['not answered in time', 'platform_timed_out', [504, 'platform_timed_out', []]],
  ])('that are %s write nothing', async (_, reason, expected) => {
    const before = await database.scan();
    const body = connected();
    if (reason === 'credentials_refused') fake.revokeRefresh(body.refresh_token);
    fake.failNext('company', new PlatformFailure(reason));
    const result = await create(body);
    expect([result.status, result.body.error.code, problemsOf(result)]).toEqual(expected);
    expect(await database.scan()).toEqual(before);
    expect(JSON.stringify([log.lines, result])).not.toContain('secret-');
  });

  test('that meet a limit are told how long to wait', async () => {
    fake.failNext('company', new PlatformFailure('rate_limited', { retryAfterSeconds: 7 }));
    expect((await create(connected())).headers).toEqual({ ...jsonHeaders, 'Retry-After': '7' });
  });

  test('of a company that is connected renew it, and link the user who brings them', async () => {
    const first = await create(connected());
    const body = connected();
    const second = await create({ ...body, user_id: 42 });
    expect(second).toEqual(first);
    expect(await connectionOf(schemaName())).toMatchObject({
      tokens: { refreshToken: body.refresh_token },
      version: 2,
    });
    const bob = { applicationId: 'app1', email: 'bob@example.com' };
    expect((await openUsers(database.table).findWithTenants(bob))?.schemaNames).toContain(
      schemaName(),
    );
  });

  test('of one company in 16 requests at once make one tenant', async () => {
    const before = (await tenantItems()).length;
    const bodies = Array.from({ length: 16 }, () => connected());
    const results = await Promise.all(bodies.map((body) => create(body)));
    expect(new Set(results.map(({ body }) => body.data?.tenant_domain_url))).toEqual(
      new Set([companyName]),
    );
    expect(await tenantItems()).toHaveLength(before + 1);
  });
});

describe('an Idempotency-Key', () => {
  const replayed = { ...jsonHeaders, 'Idempotent-Replayed': 'true' };

  test('replays a manual creation', async () => {
    const idempotencyKey = randomUUID();
    const first = await create(manual(), { idempotencyKey });
    expect(first.headers).toEqual(jsonHeaders);
    const before = await database.scan();
    expect(await create(manual(), { idempotencyKey })).toEqual({ ...first, headers: replayed });
    expect(await database.scan()).toEqual(before);
  });

  test('replays a connection without a call to the platform, whatever the tokens', async () => {
    const idempotencyKey = randomUUID();
    const first = await create(connected(), { idempotencyKey });
    const calls = fake.calls.length;
    const again = { ...connected(), access_token: 'other', expires_in: 5 };
    expect(await create(again, { idempotencyKey })).toEqual({ ...first, headers: replayed });
    expect(fake.calls).toHaveLength(calls);
  });

  test.each([
    ['manual creations', manual],
    ['connections', connected],
  ])('makes one tenant of 16 %s at once', async (_, bodyOf) => {
    const idempotencyKey = randomUUID();
    const before = (await tenantItems()).length;
    const results = await Promise.all(
      Array.from({ length: 16 }, () => bodyOf()).map((body) => create(body, { idempotencyKey })),
    );
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
    expect(new Set(results.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
    expect(results.filter(({ headers }) => headers['Idempotent-Replayed'])).toHaveLength(15);
    expect(await tenantItems()).toHaveLength(before + 1);
  });

  test.each([
    ['user', () => ({ ...manual(), user_id: 42 })],
    ['platform', () => ({ ...manual(), platform: 'platform_c' })],
    ['cash-flow method', () => ({ ...manual(), cash_flow_method: 'direct' })],
    ['company name', () => ({ ...manual(), company_name: 'Other' })],
    ['currency', () => ({ ...manual(), currency: 'USD' })],
    ['company of a platform', () => connected()],
  ])('is refused for another %s', async (_, other) => {
    const idempotencyKey = randomUUID();
    await create(manual(), { idempotencyKey });
    const before = await database.scan();
    const { status, body } = await create(other(), { idempotencyKey });
    expect([status, body.error.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await database.scan()).toEqual(before);
  });

  test('is not used up by a request that is refused', async () => {
    const idempotencyKey = randomUUID();
    expect((await create({ ...manual(), currency: 'XXX' }, { idempotencyKey })).status).toBe(422);
    expect((await create(manual(), { idempotencyKey })).headers).toEqual(jsonHeaders);
  });

  test('of another application is another key', async () => {
    const idempotencyKey = randomUUID();
    await create(manual(), { idempotencyKey });
    const own = { applicationId: 'app2', idempotencyKey };
    expect((await create({ ...manual(), user_id: 43 }, own)).headers).toEqual(jsonHeaders);
  });

  test.each([
    ['one character', '!', []],
    ['255 characters', 'k'.repeat(255), []],
    ['no character', '', [['idempotency_key_not_valid', '/Idempotency-Key']]],
    ['256 characters', 'k'.repeat(256), [['idempotency_key_not_valid', '/Idempotency-Key']]],
    ['a blank', 'a b', [['idempotency_key_not_valid', '/Idempotency-Key']]],
    ['a letter beyond ASCII', 'ä', [['idempotency_key_not_valid', '/Idempotency-Key']]],
  ])('of %s', async (_, idempotencyKey, expected) => {
    const result = await create(manual(), { idempotencyKey });
    expect(result.status === 200 ? [] : problemsOf(result)).toEqual(expected);
  });
});

describe('create tenant refuses', () => {
  test('a user of another application exactly as one that does not exist', async () => {
    const before = await database.scan();
    const foreign = await create({ ...manual(), user_id: 43 });
    const unknown = await create({ ...manual(), user_id: 44 });
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'user_not_found']);
    expect(foreign).toEqual(unknown);
    expect(await create({ ...connected(), user_id: 43 })).toEqual(unknown);
    expect(fake.calls).toEqual([]);
    expect(await database.scan()).toEqual(before);
  });

  test.each<[string, Record<string, unknown>, [string, string][]]>([
    [
      'a body without anything',
      {},
      [
        ['required', '/user_id'],
        ['required', '/platform'],
        ['required', '/cash_flow_method'],
      ],
    ],
    [
      'what a manual tenant lacks and has no use for, and all else that is wrong',
      {
        platform: 'manual',
        cash_flow_method: 'none',
        access_token: 't',
        refresh_token: 't',
        platform_company_id: '1',
        expires_in: 0,
        color: 'blue',
      },
      [
        ['required', '/user_id'],
        ['not_an_allowed_value', '/cash_flow_method'],
        ['out_of_range', '/expires_in'],
        ['unknown_field', '/color'],
        ['required', '/company_name'],
        ['required', '/currency'],
        ['field_not_for_platform', '/access_token'],
        ['field_not_for_platform', '/refresh_token'],
        ['field_not_for_platform', '/platform_company_id'],
        ['field_not_for_platform', '/expires_in'],
      ],
    ],
    [
      'what a tenant of platform_a lacks and has no use for',
      {
        user_id: 41,
        platform: 'platform_a',
        cash_flow_method: 'direct',
        company_name: 'A',
        currency: 'EUR',
      },
      [
        ['required', '/access_token'],
        ['required', '/refresh_token'],
        ['required', '/platform_company_id'],
        ['field_not_for_platform', '/company_name'],
        ['field_not_for_platform', '/currency'],
      ],
    ],
    [
      'what a tenant of platform_b lacks',
      { user_id: 41, platform: 'platform_b', cash_flow_method: 'direct', access_token: 't' },
      [
        ['required', '/refresh_token'],
        ['required', '/platform_company_id'],
      ],
    ],
    [
      'what a tenant of platform_c lacks',
      { user_id: 41, platform: 'platform_c', cash_flow_method: 'direct' },
      [
        ['required', '/company_name'],
        ['required', '/currency'],
      ],
    ],
    [
      'some of the credentials for platform_c',
      {
        user_id: 41,
        platform: 'platform_c',
        cash_flow_method: 'direct',
        company_name: 'C',
        currency: 'EUR',
        expires_in: 60,
      },
      [
        ['required', '/access_token'],
        ['required', '/refresh_token'],
        ['required', '/platform_company_id'],
      ],
    ],
    [
      'values that are not right',
      {
        user_id: -1,
        platform: 'manual',
        cash_flow_method: 'direct',
        company_name: 'a'.repeat(151),
        currency: 'XAU',
      },
      [
        ['user_id_not_valid', '/user_id'],
        ['too_long', '/company_name'],
        ['currency_unknown', '/currency'],
      ],
    ],
    [
      'a blank company name and a platform that is not one',
      { user_id: 41, platform: 'xero', cash_flow_method: 'direct', company_name: ' ' },
      [
        ['not_an_allowed_value', '/platform'],
        ['must_not_be_blank', '/company_name'],
      ],
    ],
    [
      'a currency in lower case',
      {
        user_id: 41,
        platform: 'manual',
        cash_flow_method: 'direct',
        company_name: 'A',
        currency: 'eur',
      },
      [['currency_unknown', '/currency']],
    ],
  ])('%s, by name, and writes nothing', async (_, body, expected) => {
    const before = await database.scan();
    const result = await create(body);
    expect([result.status, result.body.error.code]).toEqual([422, 'validation_failed']);
    expect(problemsOf(result)).toEqual(expected);
    expect(await database.scan()).toEqual(before);
    expect(fake.calls).toEqual([]);
  });

  test('a key and a body that are both wrong, at once', async () => {
    const { currency: _, ...body } = manual();
    expect(problemsOf(await create(body, { idempotencyKey: '' }))).toEqual([
      ['required', '/currency'],
      ['idempotency_key_not_valid', '/Idempotency-Key'],
    ]);
  });

  test.each(['"text"', '[]', 'null', '7'])('a body that is %s', async (rawBody) => {
    const result = await create(JSON.parse(rawBody));
    expect(problemsOf(result)).toEqual([['wrong_type', '']]);
  });
});

describe('platform names', () => {
  const slots = testSlots();
  slots.platform_a.name = 'xero';

  test("are the stage's own, in the request and in the reply", async () => {
    const { body } = await create(connected('xero'), { slots });
    expect(body.data.platform).toBe('xero');
    expect(await tenants.find(nameOf(schemaName()))).toMatchObject({ platform: 'platform_a' });
  });

  test('that the stage does not use are refused, with those that it does', async () => {
    const { body } = await create(connected('platform_a'), { slots });
    expect(body.error.details).toEqual([
      {
        code: 'not_an_allowed_value',
        pointer: '/platform',
        message: 'This value is not one of those allowed.',
        params: { allowed: ['manual', 'xero', 'platform_b', 'platform_c'] },
      },
    ]);
  });

  test("are the contract's in the documentation, whose examples are valid", () => {
    for (const { request } of documentation.examples) {
      expect(Request.safeParse(request).success).toBe(true);
    }
  });
});
