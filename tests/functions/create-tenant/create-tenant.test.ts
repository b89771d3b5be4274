import { beforeEach, describe, expect, test } from 'vitest';
import { defaultChart } from '#shared/accounts/default-chart.ts';
import {
  type Platform,
  PlatformFailure,
  type PlatformFailureReason,
} from '#shared/platforms/platform.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { testSlots } from '../../support/builders/slots.ts';
import { newSuffix } from '../../support/builders/tenants.ts';
import { type Company, openTenantCreation } from '../../support/harnesses/tenant-creation.ts';
import { changeActors } from '../../support/readers/change-actors.ts';
import { jsonHeaders, problemsOf, success } from '../../support/readers/replies.ts';

const creation = await openTenantCreation();
let company: Company;

beforeEach(() => {
  company = creation.newCompany();
});

/** The reply for the company's tenant. */
const createdOn = (platform: string, more: object = {}) =>
  success({
    tenant_domain_url: company.prefix,
    schema_name: company.name.schemaName,
    platform,
    replayed: false,
    ...more,
  });

/** The tenant of the company. */
const tenantOf = (platform: string, more: object) => ({
  ...company.name,
  prefix: company.prefix,
  platform,
  companyName: company.companyName,
  currency: 'EUR',
  createdAt: '2026-03-23T09:30:00.000Z',
  ...more,
});

/** The stored connection has the tokens that the platform issued for the refresh token. */
const expectHandedOver = async (body: ReturnType<Company['connected']>, adapter: string) => {
  const connection = await creation.connections.find(company.name);
  expect(connection).toEqual({
    adapter,
    companyId: company.fake.company.companyId,
    version: 1,
    dataCenter: company.fake.company.dataCenter,
    tokens: {
      accessToken: expect.stringMatching(/^secret-access-/),
      refreshToken: expect.stringMatching(/^secret-refresh-/),
      expiresAt: '2026-03-23T10:00:00.000Z',
    },
  });
  expect(connection?.tokens.refreshToken).not.toBe(body.refresh_token);
  expect(company.fake.isRefreshable(connection?.tokens.refreshToken ?? '')).toBe(true);
  expect(company.fake.calls).toEqual(['company', 'refresh', 'company']);
};

const notAllowed = (pointer: string, allowed: string[]) => ({
  code: 'not_an_allowed_value',
  pointer,
  message: 'This value is not allowed.',
  params: { allowed },
});

describe('a manual tenant', () => {
  test.each<[string, string, boolean]>([
    ['with rates of the ECB', 'USD', true],
    ['with rates of the NBP', 'AED', true],
    ['whose rates are too old', 'EGP', false],
    ['without rates', 'BMD', false],
  ])('in a currency %s is told so, also in a repeat: %s', async (_, currency, expected) => {
    const rates = openExchangeRates(creation.table, { maximumAgeDays: 7 });
    await rates.record([{ date: '2026-03-20', rates: { USD: '1.15' } }]);
    await rates.record(
      [
        { date: '2026-03-04', rates: { EUR: '4.2', EGP: '0.08' } },
        { date: '2026-03-18', rates: { EUR: '4.2', AED: '1.01' } },
      ],
      { publisher: 'nbp' },
    );
    const body = { ...company.manual(), currency };
    for (const _time of ['first', 'again']) {
      const reply = await company.create(body, {
        idempotencyKey: `in ${currency}`.replace(' ', '-'),
      });
      expect(reply.body.data.has_exchange_rates).toBe(expected);
    }
  });

  test('is created with the default chart and linked to its user', async () => {
    expect(await company.create(company.manual())).toEqual(
      createdOn('manual', { has_exchange_rates: true }),
    );
    expect(await creation.tenants.find(company.name)).toEqual(
      tenantOf('manual', {
        cashFlowMethod: 'indirect',
        financialYearEnd: '12-31',
        status: 'active',
      }),
    );
    const codes = (await creation.scan())
      .filter(({ pk, kind }) => kind === 'account' && `${pk}`.endsWith(company.name.schemaName))
      .map(({ code }) => code);
    expect(codes.sort()).toEqual(defaultChart.map(({ code }) => code).sort());
    const ada = { applicationId: 'app1', email: 'ada@example.com' };
    expect(await creation.schemaNamesOf(ada)).toContain(company.name.schemaName);
    expect(company.fake.calls).toEqual([]);
  });

  test('can have a user id as text and a name that gives no prefix', async () => {
    const asked = { ...company.manual(), user_id: '41', company_name: '株式会社' };
    const { body } = await company.create(asked);
    expect(body.data.tenant_domain_url).toMatch(/^company-[a-z2-9]{6}$/);
  });
});

describe('a tenant of platform_c', () => {
  test('without credentials is like a manual one', async () => {
    const reply = await company.create({ ...company.manual(), platform: 'platform_c' });
    expect(reply).toEqual(createdOn('platform_c', { has_exchange_rates: true }));
    expect(await creation.tenants.find(company.name)).toMatchObject({ status: 'active' });
    expect(await creation.connections.find(company.name)).toBeUndefined();
    expect(company.fake.calls).toEqual([]);
  });

  test('with credentials is connected under the requested name', async () => {
    const company_name = `Our ${company.companyName}`;
    const body = { ...company.connected('platform_c'), company_name };
    expect((await company.create(body)).body.data).toMatchObject({
      tenant_domain_url: `our-${company.prefix}`,
      platform: 'platform_c',
    });
    const name = { ...company.name, schemaName: `our_${company.name.schemaName}` };
    expect(await creation.tenants.find(name)).toMatchObject({
      platform: 'platform_c',
      companyName: company_name,
      currency: 'EUR',
      status: 'importing',
    });
  });

  test('is connected at the data center that the platform finds', async () => {
    company = creation.newCompany({ adapter: 'zoho' });
    const asked: unknown[] = [];
    const platform: Platform = {
      ...company.fake.platform,
      company: async ({ dataCenter }) => {
        asked.push(dataCenter);
        return { ...company.fake.company, dataCenter: 'us' };
      },
      refresh: async ({ refreshToken, dataCenter }) => {
        asked.push(dataCenter);
        return company.fake.platform.refresh({ refreshToken, dataCenter: null });
      },
    };
    const body = company.connected('platform_c');
    await company.create(body, { platforms: { get: async () => platform } });
    expect(asked).toEqual([null, 'us', 'us']);
    expect(await creation.connections.find(company.name)).toMatchObject({ dataCenter: 'us' });
  });

  test('cannot have another currency than its company', async () => {
    const before = await creation.scan();
    const result = await company.create({ ...company.connected('platform_c'), currency: 'USD' });
    expect([result.status, result.body.error.code]).toEqual([422, 'validation_failed']);
    expect(result.body.error.details).toEqual([notAllowed('/currency', ['EUR'])]);
    expect(await creation.scan()).toEqual(before);
  });
});

describe.each([
  ['platform_a', 'xero', null, null, null],
  ['platform_b', 'quickbooks', null, 3600, '2026-03-23T10:30:00.000Z'],
  ['platform_c', 'zoho', 'eu', null, null],
] as const)('a tenant of %s', (platform, adapter, dataCenter, reconnectInSeconds, reconnectBy) => {
  test('has the data of its company and sealed tokens, and is importing', async () => {
    company = creation.newCompany({ adapter, dataCenter, reconnectInSeconds });
    const body = { ...company.connected(platform), expires_in: 600 };
    const result = await company.create(body);
    expect(result).toEqual(createdOn(platform));
    expect(await creation.tenants.find(company.name)).toEqual(
      tenantOf(platform, {
        cashFlowMethod: 'direct',
        financialYearEnd: '06-30',
        status: 'importing',
        reconnectBy,
      }),
    );
    await expectHandedOver(body, adapter);
    expect(await creation.imports.find(company.name)).toMatchObject({
      importId: 'import-1',
      status: 'requested',
    });
    const kept = JSON.stringify([company.log.lines, result, await creation.scan()]);
    expect(kept).not.toContain('secret-');
  });
});

describe('credentials', () => {
  test('are not refreshed, and so not used up, if the access token is refused', async () => {
    const body = company.connected();
    company.fake.revokeAccess(body.access_token);
    const result = await company.create(body);
    const problems = ['credentials_not_accepted /access_token'];
    expect([result.status, problemsOf(result)]).toEqual([422, problems]);
    expect(company.fake.calls).toEqual(['company']);
    expect(company.fake.isRefreshable(body.refresh_token)).toBe(true);
  });

  const heldToken = async () =>
    (await creation.connections.find(company.name))?.tokens.refreshToken ?? '';

  test('of a connected company renew the connection, and leave its settings', async () => {
    const first = await company.create({ ...company.connected(), follow_platform_edits: false });
    const before = await heldToken();
    company.fake.company.financialYearEnd = '09-30';
    const again = { ...company.connected(), follow_platform_edits: true };
    expect(await company.create(again)).toEqual(first);
    expect(await creation.connections.find(company.name)).toMatchObject({ version: 2 });
    expect(await creation.tenants.find(company.name)).toMatchObject({
      financialYearEnd: '06-30',
      followPlatformEdits: false,
    });
    expect(await heldToken()).not.toBe(before);
    expect(company.fake.isRefreshable(await heldToken())).toBe(true);
    expect(await changeActors(creation.table, company.name)).toEqual([
      ['tenant_created', 'api_key', 'app1-key', null],
      ['company_connected', 'api_key', 'app1-key', '41'],
    ]);
  });

  const notOfCompany = new PlatformFailure('company_not_found');
  test.each<[string, object, (Error | (() => void))[]]>([
    ['is garbage', { refresh_token: 'garbage' }, []],
    ['is good for another company', {}, [() => {}, notOfCompany]],
  ])('whose refresh token %s change nothing', async (_, changes, steps) => {
    for (const isConnected of [false, true]) {
      if (isConnected) await company.create(company.connected());
      const before = await creation.scan();
      company.fake.plan('company', ...steps);
      const body = { ...company.connected(), cash_flow_method: 'indirect', ...changes };
      const result = await company.create(body);
      const problems = ['credentials_not_accepted /refresh_token'];
      expect([result.status, problemsOf(result)]).toEqual([422, problems]);
      expect(await creation.scan()).toEqual(before);
    }
  });

  test('can be sent again after a crash before the write', async () => {
    const body = company.connected();
    const transact = () => Promise.reject(new Error('crashed'));
    const crashing = { table: { ...creation.table, transact }, ids: { newSuffix } };
    expect((await company.create(body, crashing)).status).toBe(500);
    expect((await company.create(body)).status).toBe(200);
    expect(company.fake.isRefreshable(await heldToken())).toBe(true);
  });

  test('are refused and not used up for a company of another user', async () => {
    await company.create(company.connected());
    const before = await creation.scan();
    const ofBob = { ...company.connected(), user_id: 42, cash_flow_method: 'indirect' };
    const result = await company.create(ofBob);
    const code = 'company_connected_by_another_user';
    expect([result.status, result.body.error.code]).toEqual([422, code]);
    expect(await creation.scan()).toEqual(before);
    expect(company.fake.calls.slice(3)).toEqual(['company']);
  });

  const noSuchCompany = ['company_not_found /platform_company_id'];

  test.each<[PlatformFailureReason, number, string, string[]]>([
    ['company_not_found', 422, 'platform_refused_credentials', noSuchCompany],
    ['rate_limited', 502, 'platform_failed', []],
    ['platform_timed_out', 504, 'platform_timed_out', []],
  ])('write nothing if the platform fails: %s', async (reason, status, code, problems) => {
    const before = await creation.scan();
    company.fake.plan('company', new PlatformFailure(reason, { retryAfterSeconds: 7 }));
    const result = await company.create(company.connected());
    expect([result.status, result.body.error.code]).toEqual([status, code]);
    expect(problemsOf(result)).toEqual(problems);
    expect(result.headers).toEqual({ ...jsonHeaders, 'Retry-After': '7' });
    expect(await creation.scan()).toEqual(before);
    expect(JSON.stringify([company.log.lines, result])).not.toContain('secret-');
  });
});

describe('platform names', () => {
  const slots = testSlots();
  slots.platform_a.name = 'xero';

  test('are those of the stage', async () => {
    const { body } = await company.create(company.connected('xero'), { slots });
    expect(body.data.platform).toBe('xero');
    expect(await creation.tenants.find(company.name)).toMatchObject({ platform: 'platform_a' });
  });

  test('of other stages are refused, with the allowed ones', async () => {
    const { body } = await company.create(company.connected('platform_a'), { slots });
    const names = ['manual', 'xero', 'platform_b', 'platform_c'];
    expect(body.error.details).toEqual([notAllowed('/platform', names)]);
  });
});
