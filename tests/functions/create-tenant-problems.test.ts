import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testSlots } from '../support/builders/slots.ts';
import {
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

const credentials = { access_token: 't', refresh_token: 't', platform_company_id: '1' };

describe('create tenant refuses', () => {
  test('a user of another application exactly as one that does not exist', async () => {
    const before = await creation.scan();
    const foreign = await company.create({ ...company.manual(), user_id: 43 });
    const unknown = await company.create({ ...company.manual(), user_id: 44 });
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'user_not_found']);
    expect(foreign).toEqual(unknown);
    expect(await company.create({ ...company.connected(), user_id: 43 })).toEqual(unknown);
    expect(company.fake.calls).toEqual([]);
    expect(await creation.scan()).toEqual(before);
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
        data_center: 'eu',
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
        ['field_not_for_platform', '/data_center'],
      ],
    ],
    [
      'what a tenant of platform_a lacks, whose name and currency may be given',
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
      'a data center for platform_c without the credentials',
      {
        user_id: 41,
        platform: 'platform_c',
        cash_flow_method: 'direct',
        company_name: 'C',
        currency: 'EUR',
        data_center: 'eu',
      },
      [
        ['required', '/access_token'],
        ['required', '/refresh_token'],
        ['required', '/platform_company_id'],
      ],
    ],
    [
      'a data center that is none of the platform',
      {
        ...{ user_id: 41, platform: 'platform_c', cash_flow_method: 'direct', ...credentials },
        ...{ company_name: 'C', currency: 'EUR', data_center: 'EU' },
      },
      [['not_an_allowed_value', '/data_center']],
    ],
    [
      'a data center for platform_a',
      {
        ...{ user_id: 41, platform: 'platform_a', cash_flow_method: 'direct', ...credentials },
        data_center: 'eu',
      },
      [['field_not_for_platform', '/data_center']],
    ],
    [
      'a data center for platform_b, though it is none either',
      {
        ...{ user_id: 41, platform: 'platform_b', cash_flow_method: 'direct', ...credentials },
        data_center: 'nowhere',
      },
      [
        ['not_an_allowed_value', '/data_center'],
        ['field_not_for_platform', '/data_center'],
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
    const before = await creation.scan();
    const result = await company.create(body);
    expect([result.status, result.body.error.code]).toEqual([422, 'validation_failed']);
    expect(problemsOf(result)).toEqual(expected);
    expect(await creation.scan()).toEqual(before);
    expect(company.fake.calls).toEqual([]);
  });

  test('a data center by the adapter that serves the platform, whatever its slot', async () => {
    const { platform_a: a, platform_b: b, platform_c: c } = testSlots();
    const slots = {
      platform_a: { ...a, adapter: c.adapter },
      platform_b: b,
      platform_c: { ...c, adapter: a.adapter },
    };
    company = creation.newCompany({ adapter: 'zoho', dataCenter: 'eu' });
    const at = (platform: string) =>
      company.create(
        { ...company.connected(platform), company_name: company.companyName, currency: 'EUR' },
        { slots },
      );
    expect((await at('platform_a')).status).toBe(200);
    expect(problemsOf(await at('platform_c'))).toEqual([
      ['field_not_for_platform', '/data_center'],
    ]);
  });

  test('a key and a body that are both wrong, at once', async () => {
    const { currency: _, ...body } = company.manual();
    expect(problemsOf(await company.create(body, { idempotencyKey: '' }))).toEqual([
      ['required', '/currency'],
      ['idempotency_key_not_valid', '/Idempotency-Key'],
    ]);
  });

  test.each(['"text"', '[]', 'null', '7'])('a body that is %s', async (rawBody) => {
    const result = await company.create(JSON.parse(rawBody));
    expect(problemsOf(result)).toEqual([['wrong_type', '']]);
  });
});
