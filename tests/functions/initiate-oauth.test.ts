import { describe, expect, test } from 'vitest';
import { openApplications } from '#shared/applications/applications.store.ts';
import { codeChallengeOf, openStateKeys } from '#shared/connections/authorization-states.ts';
import { openOAuthStates } from '#shared/connections/oauth-states.store.ts';
import { problem } from '#shared/errors.ts';
import { createXero } from '#shared/platforms/xero/xero.ts';
import { openUsers } from '#shared/users/users.store.ts';
import { fixedSecret, newKeys } from '../support/builders/secrets.ts';
import { testSlots } from '../support/builders/slots.ts';
import { openTestTable } from '../support/dynamodb/test-table.ts';
import { callsOf } from '../support/harnesses/calls.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { problemsOf, success } from '../support/readers/replies.ts';
import { keepLog } from '../support/recorders/log.ts';
import { openFakePlatform } from '../support/servers/fake-platform.ts';

const now = new Date('2026-03-23T09:30:00.000Z');
const good = { user_id: '41', cash_flow_method: 'indirect' };
const registered = 'https://app.example/connected';

const database = await openTestTable();
const states = openOAuthStates(database.table);
const keys = newKeys('1');
const stateKeys = openStateKeys(fixedSecret(keys));
const log = keepLog();
const createdAt = now.toISOString();

for (const [applicationId, userId, redirectUrls] of [
  ['app1', '41', []],
  ['app2', '42', [registered]],
] as const) {
  await openApplications(database.table).record({
    applicationId,
    name: applicationId,
    status: 'active',
    createdAt,
    redirectUrls: [...redirectUrls],
  });
  await openUsers(database.table).record(
    { applicationId, email: 'ada@example.com', firstName: 'Ada', lastName: 'L', createdAt },
    { passwordHash: 'none', newUserId: () => userId },
  );
}

type Options = { platform?: string; applicationId?: string } & Partial<
  Parameters<typeof openInstance>[0]
>;

const initiate = (
  query: Record<string, string>,
  { platform = 'platform_a', applicationId = 'app1', ...changes }: Options = {},
) => {
  const { table } = database;
  const { platforms } = openFakePlatform();
  const options = { table, keys, platforms, log, clock: () => now, ...changes };
  const request = { pathParameters: { platform }, applicationId };
  return callsOf(openInstance(options)).send('initiate', query, request);
};

const stateOf = ({ body }: Awaited<ReturnType<typeof initiate>>): string =>
  new URL(body.data.authorization_url).searchParams.get('state') ?? '';

describe('initiate', () => {
  test('returns the authorization URL, with a new state that is not logged', async () => {
    const reply = await initiate(good);
    expect(reply).toEqual(success({ authorization_url: expect.any(String) }));
    const url = new URL(reply.body.data.authorization_url);
    expect(`${url.origin}${url.pathname}`).toBe('https://platform.example/authorize');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      redirectUri: 'https://callback.example/oauth/platform_a/callback',
      state: expect.stringMatching(/^[\w-]{43}\.1\.[\w-]{43}$/),
      codeChallenge: expect.any(String),
    });
    const { codeVerifier = '' } = (await stateKeys.recognise(stateOf(reply))) ?? {};
    expect(url.searchParams.get('codeChallenge')).toBe(codeChallengeOf(codeVerifier));
    expect(stateOf(await initiate(good))).not.toBe(stateOf(reply));
    expect(JSON.stringify(log.lines)).not.toContain(stateOf(reply));
  });

  test('stores for the callback what the request says', async () => {
    const redirect_url = 'https://app.example/done?tenant=1';
    const query = { ...good, cash_flow_method: 'direct', redirect_url };
    const state = stateOf(await initiate(query, { platform: 'platform_b' }));
    expect(await states.consume(state, now)).toEqual({
      expiresAt: now.getTime() / 1000 + 600,
      applicationId: 'app1',
      email: 'ada@example.com',
      userId: '41',
      slot: 'platform_b',
      cashFlowMethod: 'direct',
      redirectUrl: redirect_url,
      redirectUri: 'https://callback.example/oauth/platform_b/callback',
      companyId: null,
      confirmConnection: false,
    });
  });

  test.each([
    ['true', true],
    ['false', false],
  ])('stores whether the connection must be confirmed: %s', async (confirm_connection, kept) => {
    const query = { ...good, redirect_url: registered, confirm_connection };
    const state = stateOf(await initiate(query));
    expect(await states.consume(state, now)).toMatchObject({ confirmConnection: kept });
  });

  const xero = createXero({ clientId: 'client', clientSecret: 'secret' });
  const atXero = { platforms: { get: async () => xero } };
  const uuid = '5e2d6318-d51d-415a-87a4-0a1b2c3d4e5f';

  test("stores the requested company in the platform's form", async () => {
    const query = { ...good, platform_company_id: uuid.toUpperCase() };
    const state = stateOf(await initiate(query, atXero));
    expect(await states.consume(state, now)).toMatchObject({ companyId: uuid, redirectUrl: null });
  });

  test('is refused for a company id that is not valid at the platform', async () => {
    for (const query of [good, {}]) {
      const reply = await initiate({ ...query, platform_company_id: `{${uuid}}` }, atXero);
      expect(reply.status).toBe(422);
      expect(problemsOf(reply)).toContain('company_id_not_valid /platform_company_id');
    }
  });

  test("uses the stage's name for the platform", async () => {
    const slots = testSlots();
    slots.platform_a.name = 'xero';
    const reply = await initiate(good, { platform: 'xero', slots });
    expect(reply.body.data.authorization_url).toContain('%2Foauth%2Fxero%2Fcallback');
    expect(await states.consume(stateOf(reply), now)).toMatchObject({ slot: 'platform_a' });
    expect((await initiate(good, { platform: 'platform_a', slots })).status).toBe(404);
  });
});

describe('initiate refuses', () => {
  test.each([
    ['the platform `manual`', 'manual', good],
    ['an unknown platform', 'platform_d', good],
    ['an unknown platform, before other problems', 'platform_d', {}],
  ])('%s', async (_, platform, query) => {
    const { status, body } = await initiate(query, { platform });
    const allowed = ['platform_a', 'platform_b', 'platform_c'];
    const details = [problem('not_an_allowed_value', '/platform', { allowed })];
    expect([status, body.error]).toMatchObject([
      404,
      { code: 'platform_not_connectable', details },
    ]);
  });

  test.each([
    ['an empty query', {}, ['required /user_id /cash_flow_method']],
    [
      'all problems at once',
      {
        user_id: '0',
        cash_flow_method: 'none',
        redirect_url: 'http://app.example/',
        platform_company_id: ' ',
        more: '1',
      },
      [
        'user_id_not_valid /user_id',
        'not_an_allowed_value /cash_flow_method',
        'redirect_url_not_valid /redirect_url',
        'must_not_be_blank /platform_company_id',
        'unknown_field /more',
      ],
    ],
    [
      'a redirect_url of more than 2048 characters',
      { ...good, redirect_url: `https://app.example/${'a'.repeat(2029)}` },
      ['too_long /redirect_url'],
    ],
    [
      'a word that is not a boolean',
      { ...good, redirect_url: registered, confirm_connection: 'yes' },
      ['wrong_type /confirm_connection'],
    ],
    [
      'a confirmation without a redirect_url, which would receive the code',
      { user_id: 'x', confirm_connection: 'true' },
      ['user_id_not_valid /user_id', 'required /cash_flow_method /redirect_url'],
    ],
    [
      'a confirmation with a redirect_url that has a code',
      { ...good, redirect_url: `${registered}?confirmation_code=1`, confirm_connection: 'true' },
      ['redirect_url_not_valid /redirect_url'],
    ],
  ])('%s', async (_, query, problems) => {
    const before = await database.scan();
    const reply = await initiate(query as Record<string, string>);
    expect([reply.status, reply.body.error.code]).toEqual([422, 'validation_failed']);
    expect(problemsOf(reply)).toEqual(problems);
    expect(await database.scan()).toEqual(before);
  });

  test('an unregistered redirect_url beside other problems', async () => {
    const query = { user_id: 'x', redirect_url: 'https://x.example' };
    expect(problemsOf(await initiate(query, { applicationId: 'app2' }))).toEqual([
      'user_id_not_valid /user_id',
      'required /cash_flow_method',
      'redirect_url_not_registered /redirect_url',
    ]);
  });
});

describe('a redirect_url', () => {
  const any = 'https://x.example';

  test.each([
    ['can be a registered one', registered, 'app2', 'required', 200],
    ['cannot be an unregistered one', any, 'app2', 'optional', 422],
    ['must be registered if the stage requires it', any, 'app1', 'required', 422],
  ] as const)('%s', async (_, redirect_url, applicationId, registration, status) => {
    const user_id = applicationId === 'app1' ? '41' : '42';
    const query = { ...good, user_id, ...(redirect_url && { redirect_url }) };
    const reply = await initiate(query, { applicationId, registration });
    const problems = status === 422 ? ['redirect_url_not_registered /redirect_url'] : [];
    expect([reply.status, problemsOf(reply)]).toEqual([status, problems]);
  });
});
