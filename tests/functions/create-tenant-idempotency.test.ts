import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

describe('an Idempotency-Key', () => {
  const replayed = { ...jsonHeaders, 'Idempotent-Replayed': 'true' };

  test('replays a manual creation', async () => {
    const idempotencyKey = randomUUID();
    const first = await company.create(company.manual(), { idempotencyKey });
    expect(first.headers).toEqual(jsonHeaders);
    const before = await creation.scan();
    expect(await company.create(company.manual(), { idempotencyKey })).toEqual({
      ...first,
      headers: replayed,
    });
    expect(await creation.scan()).toEqual(before);
  });

  test('replays a connection without a call to the platform, whatever the tokens', async () => {
    const idempotencyKey = randomUUID();
    const first = await company.create(company.connected(), { idempotencyKey });
    const calls = company.fake.calls.length;
    const again = { ...company.connected(), access_token: 'other', expires_in: 5 };
    expect(await company.create(again, { idempotencyKey })).toEqual({
      ...first,
      headers: replayed,
    });
    expect(company.fake.calls).toHaveLength(calls);
  });

  test.each([
    ['manual creations', () => company.manual()],
    ['connections', () => company.connected()],
  ])('makes one tenant of 16 %s at once', async (_, bodyOf) => {
    const idempotencyKey = randomUUID();
    const before = await creation.countTenants();
    const results = await Promise.all(
      Array.from({ length: 16 }, () => bodyOf()).map((body) =>
        company.create(body, { idempotencyKey }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
    expect(new Set(results.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
    expect(results.filter(({ headers }) => headers['Idempotent-Replayed'])).toHaveLength(15);
    expect(await creation.countTenants()).toBe(before + 1);
  });

  test.each([
    ['user', () => ({ ...company.manual(), user_id: 42 })],
    ['platform', () => ({ ...company.manual(), platform: 'platform_c' })],
    ['cash-flow method', () => ({ ...company.manual(), cash_flow_method: 'direct' })],
    ['company name', () => ({ ...company.manual(), company_name: 'Other' })],
    ['currency', () => ({ ...company.manual(), currency: 'USD' })],
  ])('is refused for another %s', async (_, other) => {
    const idempotencyKey = randomUUID();
    await company.create(company.manual(), { idempotencyKey });
    const before = await creation.scan();
    const { status, body } = await company.create(other(), { idempotencyKey });
    expect([status, body.error.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await creation.scan()).toEqual(before);
  });

  test('is refused for another company of the platform', async () => {
    const idempotencyKey = randomUUID();
    await company.create(company.connected(), { idempotencyKey });
    const other = { ...company.connected(), platform_company_id: 'other' };
    const { status, body } = await company.create(other, { idempotencyKey });
    expect([status, body.error.code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('is refused for another data center of the platform', async () => {
    company = creation.newCompany({ adapter: 'zoho', dataCenter: 'eu' });
    const idempotencyKey = randomUUID();
    const body = {
      ...company.connected('platform_c'),
      company_name: company.companyName,
      currency: 'EUR',
    };
    expect((await company.create(body, { idempotencyKey })).status).toBe(200);
    const other = { ...body, data_center: 'in' };
    expect((await company.create(other, { idempotencyKey })).body.error.code).toBe(
      'idempotency_key_reused',
    );
    const replayed = await company.create(body, { idempotencyKey });
    expect(replayed.headers['Idempotent-Replayed']).toBe('true');
  });

  test('is not used up by a request that is refused', async () => {
    const idempotencyKey = randomUUID();
    expect(
      (await company.create({ ...company.manual(), currency: 'XXX' }, { idempotencyKey })).status,
    ).toBe(422);
    expect((await company.create(company.manual(), { idempotencyKey })).headers).toEqual(
      jsonHeaders,
    );
  });

  test('of another application is another key', async () => {
    const idempotencyKey = randomUUID();
    await company.create(company.manual(), { idempotencyKey });
    const own = { applicationId: 'app2', idempotencyKey };
    expect((await company.create({ ...company.manual(), user_id: 43 }, own)).headers).toEqual(
      jsonHeaders,
    );
  });

  test.each([
    ['one character', '!', []],
    ['255 characters', 'k'.repeat(255), []],
    ['no character', '', [['idempotency_key_not_valid', '/Idempotency-Key']]],
    ['256 characters', 'k'.repeat(256), [['idempotency_key_not_valid', '/Idempotency-Key']]],
    ['a blank', 'a b', [['idempotency_key_not_valid', '/Idempotency-Key']]],
    ['a letter beyond ASCII', 'ä', [['idempotency_key_not_valid', '/Idempotency-Key']]],
  ])('of %s', async (_, idempotencyKey, expected) => {
    const result = await company.create(company.manual(), { idempotencyKey });
    expect(result.status === 200 ? [] : problemsOf(result)).toEqual(expected);
  });
});
