import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { documentation, Request } from '#functions/create-tenant/schema.ts';
import { defaultChart } from '#shared/domain/default-chart.ts';
import type { Platform } from '#shared/platforms/platform.ts';
import { testSlots } from '../support/builders/slots.ts';
import {
  jsonHeaders,
  openTenantCreation,
  type TenantCreation,
} from '../support/harnesses/tenant-creation.ts';

const createdAt = '2026-03-23T09:30:00.000Z';

let creation: TenantCreation;
let company: ReturnType<TenantCreation['newCompany']>;

beforeAll(async () => {
  creation = await openTenantCreation();
});

beforeEach(() => {
  company = creation.newCompany();
});

describe('a manual tenant', () => {
  test('is created with the default chart and linked to its user', async () => {
    const result = await company.create(company.manual());
    expect(result).toEqual({
      status: 200,
      headers: jsonHeaders,
      body: {
        status: 'success',
        status_code: 200,
        data: {
          tenant_domain_url: company.companyName,
          schema_name: company.name.schemaName,
          platform: 'manual',
        },
      },
    });
    expect(await creation.tenants.find(company.name)).toEqual({
      ...company.name,
      prefix: company.companyName,
      platform: 'manual',
      companyName: company.companyName,
      currency: 'EUR',
      cashFlowMethod: 'indirect',
      status: 'active',
      createdAt,
    });
    const items = (await creation.scan()).filter(({ pk }) =>
      String(pk).endsWith(company.name.schemaName),
    );
    const codes = items.filter(({ kind }) => kind === 'account').map(({ code }) => code);
    expect(codes.sort()).toEqual(defaultChart.map(({ code }) => code).sort());
    const linked = await creation.users.findWithTenants({
      applicationId: 'app1',
      email: 'ada@example.com',
    });
    expect(linked?.schemaNames).toContain(company.name.schemaName);
    expect(company.fake.calls).toEqual([]);
  });

  test('may have the user id as text, and a name of which nothing fits into a prefix', async () => {
    const { body } = await company.create({
      ...company.manual(),
      user_id: '41',
      company_name: '株式会社',
    });
    expect(body.data.tenant_domain_url).toMatch(/^company-[a-z2-9]{6}$/);
  });

  test('gets another prefix where its own is taken, and nobody can tell that it was', async () => {
    await company.create(company.manual());
    const { status, headers, body } = await company.create(
      { ...company.manual(), user_id: 43 },
      { applicationId: 'app2' },
    );
    expect({ status, headers }).toEqual({ status: 200, headers: jsonHeaders });
    expect(body.data.tenant_domain_url).toMatch(new RegExp(`^${company.companyName}-[a-z2-9]{6}$`));
  });
});

describe('a tenant of platform_c', () => {
  test('without credentials starts like a manual one', async () => {
    const { body } = await company.create({ ...company.manual(), platform: 'platform_c' });
    expect(body.data).toEqual({
      tenant_domain_url: company.companyName,
      schema_name: company.name.schemaName,
      platform: 'platform_c',
    });
    expect(await creation.tenants.find(company.name)).toMatchObject({ status: 'active' });
    expect(await creation.connections.find(company.name)).toBeUndefined();
    expect(company.fake.calls).toEqual([]);
  });

  test('with credentials is connected, under the name that the caller gives', async () => {
    const body = {
      ...company.connected('platform_c'),
      company_name: `Our ${company.companyName}`,
      currency: 'EUR',
    };
    expect((await company.create(body)).body.data).toMatchObject({
      tenant_domain_url: `our-${company.companyName}`,
      platform: 'platform_c',
    });
    expect(
      await creation.tenants.find({
        ...company.name,
        schemaName: `our_${company.name.schemaName}`,
      }),
    ).toMatchObject({
      platform: 'platform_c',
      companyName: `Our ${company.companyName}`,
      currency: 'EUR',
      status: 'importing',
    });
  });

  test('is connected to its company at the data center that keeps it', async () => {
    company = creation.newCompany({ adapter: 'zoho', dataCenter: 'eu' });
    const body = {
      ...company.connected('platform_c'),
      company_name: company.companyName,
      currency: 'EUR',
    };
    expect(body.data_center).toBe('eu');
    expect((await company.create(body)).status).toBe(200);
    expect(await creation.connections.find(company.name)).toEqual({
      adapter: 'zoho',
      companyId: company.fake.company.companyId,
      dataCenter: 'eu',
      tokens: {
        accessToken: body.access_token,
        refreshToken: body.refresh_token,
        expiresAt: '2026-03-23T10:00:00.000Z',
      },
      version: 1,
    });
    expect(company.fake.calls).toEqual(['company']);
  });

  test('is connected at the data center that the platform says, if none is given', async () => {
    company = creation.newCompany({ adapter: 'zoho' });
    const asked: unknown[] = [];
    const platform: Platform = {
      ...company.fake.platform,
      company: async ({ dataCenter }) => {
        asked.push(dataCenter);
        return { ...company.fake.company, dataCenter: 'us' };
      },
    };
    const body = {
      ...company.connected('platform_c'),
      company_name: company.companyName,
      currency: 'EUR',
    };
    await company.create(body, { platforms: { get: async () => platform } });
    expect(asked).toEqual([null]);
    expect(await creation.connections.find(company.name)).toMatchObject({ dataCenter: 'us' });
  });

  test('is another than that of a company of the same id at another data center', async () => {
    const before = await creation.countTenants();
    const companyId = randomUUID();
    for (const dataCenter of ['eu', 'in']) {
      company = creation.newCompany({ adapter: 'zoho', dataCenter, companyId });
      const body = {
        ...company.connected('platform_c'),
        company_name: company.companyName,
        currency: 'EUR',
      };
      expect((await company.create(body)).body.data.schema_name).toBe(company.name.schemaName);
    }
    expect(await creation.countTenants()).toBe(before + 2);
  });

  test("is refused a currency that is not its company's", async () => {
    const before = await creation.scan();
    const body = {
      ...company.connected('platform_c'),
      company_name: company.companyName,
      currency: 'USD',
    };
    const result = await company.create(body);
    expect([result.status, result.body.error.code]).toEqual([422, 'validation_failed']);
    expect(result.body.error.details).toEqual([
      {
        code: 'not_an_allowed_value',
        pointer: '/currency',
        message: 'This value is not one of those allowed.',
        params: { allowed: ['EUR'] },
      },
    ]);
    expect(await creation.scan()).toEqual(before);
  });
});

describe.each([
  ['platform_a', 'xero'],
  ['platform_b', 'quickbooks'],
] as const)('a tenant of %s', (platform, adapter) => {
  test("has its company's name and currency, its tokens sealed, and is importing", async () => {
    company = creation.newCompany({ adapter });
    const body = { ...company.connected(platform), expires_in: 600 };
    const result = await company.create(body);
    expect(result).toEqual({
      status: 200,
      headers: jsonHeaders,
      body: {
        status: 'success',
        status_code: 200,
        data: {
          tenant_domain_url: company.companyName,
          schema_name: company.name.schemaName,
          platform,
        },
      },
    });
    expect(await creation.tenants.find(company.name)).toEqual({
      ...company.name,
      prefix: company.companyName,
      platform,
      companyName: company.companyName,
      currency: 'EUR',
      cashFlowMethod: 'direct',
      status: 'importing',
      createdAt,
    });
    expect(await creation.connections.find(company.name)).toEqual({
      adapter,
      companyId: company.fake.company.companyId,
      dataCenter: null,
      tokens: {
        accessToken: body.access_token,
        refreshToken: body.refresh_token,
        expiresAt: '2026-03-23T09:40:00.000Z',
      },
      version: 1,
    });
    expect(await creation.imports.find(company.name)).toMatchObject({
      importId: 'import-1',
      status: 'requested',
    });
    expect(company.fake.calls).toEqual(['company']);
    expect(JSON.stringify([company.log.lines, result, await creation.scan()])).not.toContain(
      'secret-',
    );
  });
});

describe('platform names', () => {
  const slots = testSlots();
  slots.platform_a.name = 'xero';

  test("are the stage's own, in the request and in the reply", async () => {
    const { body } = await company.create(company.connected('xero'), { slots });
    expect(body.data.platform).toBe('xero');
    expect(await creation.tenants.find(company.name)).toMatchObject({ platform: 'platform_a' });
  });

  test('that the stage does not use are refused, with those that it does', async () => {
    const { body } = await company.create(company.connected('platform_a'), { slots });
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
