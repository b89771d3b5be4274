import { beforeEach, describe, expect, test } from 'vitest';
import { type Company, openTenantCreation } from '../../support/harnesses/tenant-creation.ts';
import { jsonHeaders, problemsOf, replayOf } from '../../support/readers/replies.ts';

const creation = await openTenantCreation();
let company: Company;
let idempotencyKey: string;

beforeEach(() => {
  company = creation.newCompany();
  idempotencyKey = `key-of-${company.companyName}`;
});

describe('an Idempotency-Key', () => {
  test('replays a manual creation', async () => {
    const first = await company.create(company.manual(), { idempotencyKey });
    expect(first.headers).toEqual(jsonHeaders);
    const before = await creation.scan();
    const again = await company.create(company.manual(), { idempotencyKey });
    expect(again).toEqual(replayOf(first));
    expect(await creation.scan()).toEqual(before);
  });

  test('replays a connection without a call to the platform, even with other tokens', async () => {
    const first = await company.create(company.connected(), { idempotencyKey });
    const calls = company.fake.calls.length;
    const again = { ...company.connected(), access_token: 'other', expires_in: 5 };
    expect(await company.create(again, { idempotencyKey })).toEqual(replayOf(first));
    expect(company.fake.calls).toHaveLength(calls);
  });

  test.each([
    ['manual creations', () => company.manual()],
    ['connections', () => company.connected()],
  ])('makes one tenant of 16 concurrent %s', async (_, bodyOf) => {
    const before = await creation.countTenants();
    const sixteenTimes = <Result>(work: () => Promise<Result>) =>
      Promise.all(Array.from({ length: 16 }, work));
    // All connections to the table are open before the creations start.
    await sixteenTimes(() => creation.tenants.find(company.name));
    const results = await sixteenTimes(() => company.create(bodyOf(), { idempotencyKey }));
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
    expect(new Set(results.map((it) => JSON.stringify(replayOf(it).body))).size).toBe(1);
    expect(results.filter((it) => it.headers['Idempotent-Replayed'])).toHaveLength(15);
    expect(results.filter(({ body }) => body.data.replayed)).toHaveLength(15);
    expect(await creation.countTenants()).toBe(before + 1);
  });

  const atZoho = { adapter: 'zoho', dataCenter: 'eu' } as const;

  test.each<[string, platform: string, other: object, company?: typeof atZoho]>([
    ['user', 'manual', { user_id: 42 }],
    ['platform', 'manual', { platform: 'platform_c' }],
    ['cash-flow method', 'manual', { cash_flow_method: 'direct' }],
    ['company name', 'manual', { company_name: 'Other' }],
    ['currency', 'manual', { currency: 'USD' }],
    ['company of the platform', 'platform_a', { platform_company_id: 'other' }],
    ['rule for edits', 'platform_a', { follow_platform_edits: false }],
    ['data center of the platform', 'platform_c', { data_center: 'in' }, atZoho],
  ])('is refused for another %s', async (_, platform, other, options) => {
    company = creation.newCompany(options);
    const body = platform === 'manual' ? company.manual() : company.connected(platform);
    const first = await company.create(body, { idempotencyKey });
    const before = await creation.scan();
    const reply = await company.create({ ...body, ...other }, { idempotencyKey });
    expect([reply.status, reply.body.error.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await creation.scan()).toEqual(before);
    expect(await company.create(body, { idempotencyKey })).toEqual(replayOf(first));
  });

  test('is not used up by a refused request', async () => {
    const wrong = { ...company.manual(), currency: 'XXX' };
    expect((await company.create(wrong, { idempotencyKey })).status).toBe(422);
    const right = await company.create(company.manual(), { idempotencyKey });
    expect(right.headers).toEqual(jsonHeaders);
  });

  test('belongs to its application', async () => {
    await company.create(company.manual(), { idempotencyKey });
    const own = { applicationId: 'app2', idempotencyKey };
    const theirs = await company.create({ ...company.manual(), user_id: 43 }, own);
    expect(theirs.headers).toEqual(jsonHeaders);
  });

  const notValid = ['idempotency_key_not_valid /Idempotency-Key'];

  test.each([
    ['one character', '!', []],
    ['255 characters', 'k'.repeat(255), []],
    ['no character', '', notValid],
    ['256 characters', 'k'.repeat(256), notValid],
    ['a space', 'a b', notValid],
    ['a letter beyond ASCII', 'ä', notValid],
  ])('of %s', async (_, given, problems) => {
    const result = await company.create(company.manual(), { idempotencyKey: given });
    expect([result.status, problemsOf(result)]).toEqual([problems.length ? 422 : 200, problems]);
  });
});
