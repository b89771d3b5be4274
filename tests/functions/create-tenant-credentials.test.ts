import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PlatformFailure, type PlatformFailureReason } from '#shared/platforms/platform.ts';
import {
  jsonHeaders,
  openTenantCreation,
  problemsOf,
  type TenantCreation,
} from '../support/harnesses/tenant-creation.ts';

let creation: TenantCreation;
let company: ReturnType<TenantCreation['newCompany']>;

beforeAll(async () => {
  creation = await openTenantCreation();
});

beforeEach(() => {
  company = creation.newCompany();
});

describe('credentials', () => {
  test('are taken to last half an hour where the caller does not say', async () => {
    await company.create(company.connected());
    expect(await creation.connections.find(company.name)).toMatchObject({
      tokens: { expiresAt: '2026-03-23T10:00:00.000Z' },
    });
  });

  test('are not refreshed where the access token is refused: that would use them up', async () => {
    const body = company.connected();
    company.fake.revokeAccess(body.access_token);
    const result = await company.create(body);
    expect([result.status, problemsOf(result)]).toEqual([
      422,
      [['credentials_not_accepted', '/access_token']],
    ]);
    expect(company.fake.calls).toEqual(['company']);
    expect(company.fake.isRefreshable(body.refresh_token)).toBe(true);
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
    const before = await creation.scan();
    const body = company.connected();
    company.fake.plan('company', new PlatformFailure(reason));
    const result = await company.create(body);
    expect([result.status, result.body.error.code, problemsOf(result)]).toEqual(expected);
    expect(await creation.scan()).toEqual(before);
    expect(JSON.stringify([company.log.lines, result])).not.toContain('secret-');
  });

  test('that meet a limit are told how long to wait', async () => {
    company.fake.plan('company', new PlatformFailure('rate_limited', { retryAfterSeconds: 7 }));
    expect((await company.create(company.connected())).headers).toEqual({
      ...jsonHeaders,
      'Retry-After': '7',
    });
  });

  test('of a company that is connected renew it, and link the user who brings them', async () => {
    const first = await company.create(company.connected());
    const body = company.connected();
    const second = await company.create({ ...body, user_id: 42 });
    expect(second).toEqual(first);
    expect(await creation.connections.find(company.name)).toMatchObject({
      tokens: { refreshToken: body.refresh_token },
      version: 2,
    });
    const bob = { applicationId: 'app1', email: 'bob@example.com' };
    expect((await creation.users.findWithTenants(bob))?.schemaNames).toContain(
      company.name.schemaName,
    );
  });

  test('of one company in 16 requests at once make one tenant', async () => {
    const before = await creation.countTenants();
    const bodies = Array.from({ length: 16 }, () => company.connected());
    const results = await Promise.all(bodies.map((body) => company.create(body)));
    expect(new Set(results.map(({ body }) => body.data?.tenant_domain_url))).toEqual(
      new Set([company.companyName]),
    );
    expect(await creation.countTenants()).toBe(before + 1);
  });
});
