import { beforeEach, describe, expect, test } from 'vitest';
import { testSlots } from '../../support/builders/slots.ts';
import { type Company, openTenantCreation } from '../../support/harnesses/tenant-creation.ts';
import { problemsOf } from '../../support/readers/replies.ts';

const creation = await openTenantCreation();
let company: Company;

beforeEach(() => {
  company = creation.newCompany();
});

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

  const credentials = { access_token: 't', refresh_token: 't', platform_company_id: '1' };
  const named = { company_name: 'C', currency: 'EUR' };
  const asked = (platform: string, ...fields: object[]) =>
    Object.assign({ user_id: 41, platform, cash_flow_method: 'direct' }, ...fields);
  const theCredentials = '/access_token /refresh_token /platform_company_id';

  test.each<[title: string, body: object, problems: string[]]>([
    ['a body without anything', {}, ['required /user_id /platform /cash_flow_method']],
    [
      'a manual tenant with all problems at once',
      {
        platform: 'manual',
        cash_flow_method: 'none',
        ...credentials,
        expires_in: 0,
        data_center: 'eu',
        follow_platform_edits: true,
        color: 'blue',
      },
      [
        'required /user_id',
        'not_an_allowed_value /cash_flow_method',
        'out_of_range /expires_in',
        'unknown_field /color',
        'required /company_name /currency',
        `field_not_for_platform ${theCredentials} /expires_in /data_center /follow_platform_edits`,
      ],
    ],
    ['platform_a without credentials', asked('platform_a', named), [`required ${theCredentials}`]],
    [
      'platform_b without all credentials',
      asked('platform_b', { access_token: 't' }),
      ['required /refresh_token /platform_company_id'],
    ],
    ['platform_c without a name', asked('platform_c'), ['required /company_name /currency']],
    [
      'platform_c with some of the credentials',
      asked('platform_c', named, { expires_in: 60 }),
      [`required ${theCredentials}`],
    ],
    [
      'platform_c with a data center but without credentials',
      asked('platform_c', named, { data_center: 'eu' }),
      [`required ${theCredentials}`],
    ],
    [
      'platform_c with a rule for edits but without credentials',
      asked('platform_c', named, { follow_platform_edits: false }),
      [`required ${theCredentials}`],
    ],
    [
      'platform_c with an unknown data center',
      asked('platform_c', named, credentials, { data_center: 'EU' }),
      ['not_an_allowed_value /data_center'],
    ],
    [
      'platform_a with a data center',
      asked('platform_a', credentials, { data_center: 'eu' }),
      ['field_not_for_platform /data_center'],
    ],
    [
      'platform_b with an unknown data center',
      asked('platform_b', credentials, { data_center: 'nowhere' }),
      ['not_an_allowed_value /data_center', 'field_not_for_platform /data_center'],
    ],
    [
      'values that are not valid',
      asked('manual', { user_id: -1, company_name: 'a'.repeat(151), currency: 'XAU' }),
      ['user_id_not_valid /user_id', 'too_long /company_name', 'currency_unknown /currency'],
    ],
    [
      'a blank company name and an unknown platform',
      asked('xero', { company_name: ' ' }),
      ['not_an_allowed_value /platform', 'must_not_be_blank /company_name'],
    ],
  ])('%s', async (_, body, problems) => {
    const before = await creation.scan();
    const result = await company.create(body);
    expect([result.status, result.body.error.code]).toEqual([422, 'validation_failed']);
    expect(problemsOf(result)).toEqual(problems);
    expect(await creation.scan()).toEqual(before);
    expect(company.fake.calls).toEqual([]);
  });

  test('a data center at a slot whose adapter has none', async () => {
    const { platform_a: a, platform_b: b, platform_c: c } = testSlots();
    const slots = {
      platform_a: { ...a, adapter: c.adapter },
      platform_b: b,
      platform_c: { ...c, adapter: a.adapter },
    };
    company = creation.newCompany({ adapter: 'zoho', dataCenter: 'eu' });
    const at = (platform: string) => company.create(company.connected(platform), { slots });
    expect((await at('platform_a')).status).toBe(200);
    expect(problemsOf(await at('platform_c'))).toEqual(['field_not_for_platform /data_center']);
  });

  test('a wrong key beside a wrong body', async () => {
    const { currency: _, ...body } = company.manual();
    expect(problemsOf(await company.create(body, { idempotencyKey: '' }))).toEqual([
      'required /currency',
      'idempotency_key_not_valid /Idempotency-Key',
    ]);
  });
});
