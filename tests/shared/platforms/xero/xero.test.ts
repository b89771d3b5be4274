import { describe, expect, test } from 'vitest';
import { createXero } from '#shared/platforms/xero/xero.ts';
import {
  basic,
  json,
  openAdapter,
  pageOf,
  reasonOf,
  redirectUri,
  refusalOf,
  status,
  tokenReply,
  tokens,
} from '../../../support/harnesses/adapters.ts';
import { failureOf } from '../../../support/readers/platform-failures.ts';
import type { FakeReply } from '../../../support/servers/fake-server.ts';

const tenantId = 'fe79f7dd-b6d4-4a92-ba7b-538af6289c58';
const otherTenantId = 'b2c885a9-4bb9-4a00-9b6e-6c2bf60b1a2b';
const connectionId = '7cb59f93-2964-421d-bb5e-a0f7a4572a44';
const consentId = '894f5c8c-3938-416d-966e-8f28fa24d358';
const access = { companyId: tenantId, dataCenter: null, accessToken: 'Secret-Access' };
const held = { ...access, ...tokens };

const { platform, replyWith, asked } = await openAdapter(createXero);

const withToken = (call: string) => ({ call, authorization: 'Bearer Secret-Access' });
const list = withToken('GET /api.xero.com/connections');
const organisationCall = {
  ...withToken('GET /api.xero.com/api.xro/2.0/Organisation'),
  tenant: tenantId,
};
const tokenRequest = (form: object) => ({
  call: 'POST /identity.xero.com/connect/token',
  authorization: basic,
  form,
});

const connection = {
  id: connectionId,
  authEventId: consentId,
  tenantId,
  tenantType: 'ORGANISATION',
  tenantName: 'Acme',
  createdDateUtc: '2019-12-07T18:46:19.5165400',
  updatedDateUtc: '2019-12-07T18:46:19.5187840',
};
const organisationReply = (more: object = {}) => ({
  Status: 'OK',
  Organisations: [{ Name: ' Acme Works ', BaseCurrency: 'NZD', APIKey: 'Secret-Key', ...more }],
});
const company = {
  ...{ companyId: tenantId, dataCenter: null, name: 'Acme Works', currency: 'NZD' },
  financialYearEnd: '12-31',
};

const connect = () =>
  platform.connect({
    ...{ code: 'Secret-Code', codeVerifier: 'Secret-Verifier', redirectUri },
    callback: new URLSearchParams(),
  });
const refresh = () => platform.refresh({ refreshToken: 'Secret+Old', dataCenter: null });
const readCompany = () => platform.company(access);
const readAccounts = () => platform.accountPage(access, pageOf());
const readJournals = () => platform.journalPage(access, pageOf());

describe('an authorization', () => {
  const choice = { companyId: tenantId, dataCenter: null, name: 'Acme' };

  test('trades the code for tokens, and finds the organisation that was connected', async () => {
    replyWith(json(tokenReply), json([connection]));
    expect(await connect()).toEqual({ tokens, choices: [choice] });
    const form = {
      grant_type: 'authorization_code',
      code: 'Secret-Code',
      redirect_uri: redirectUri,
      code_verifier: 'Secret-Verifier',
    };
    expect(asked()).toEqual([tokenRequest(form), list]);
  });

  const jwtOf = (claims: unknown) =>
    `Secret.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.Secret`;

  test.each<[string, string, object | undefined]>([
    ['a consent', jwtOf({ authentication_event_id: consentId }), { authEventId: consentId }],
    ['what is no id', jwtOf({ authentication_event_id: '../Secret' }), undefined],
    ['nothing', jwtOf({ sub: 'Secret' }), undefined],
    ['what is no JSON', 'Secret.e30x.Secret', undefined],
  ])('looks among the connections of a token that names %s', async (_title, token, query) => {
    const given = { ...tokenReply, access_token: token };
    replyWith(json(given), json([connection]));
    expect(await connect()).toMatchObject({ choices: [choice] });
    expect(asked()[1]).toEqual({
      ...list,
      authorization: `Bearer ${token}`,
      ...(query && { query }),
    });
  });

  const later = '2019-12-07T18:46:20.0000000';
  const other = { ...connection, tenantId: otherTenantId, tenantName: ' Beta ' };
  const practice = { ...connection, tenantType: 'PRACTICE', updatedDateUtc: '2020-01-01T00:00:00' };
  const otherChoice = { companyId: otherTenantId, dataCenter: null, name: 'Beta' };

  test.each<[string, unknown[], object[]]>([
    [
      'all of one consent, the latest first',
      [other, { ...connection, updatedDateUtc: later }],
      [choice, otherChoice],
    ],
    ['no practice', [practice, connection], [choice]],
    [
      'none of another consent',
      [
        { ...connection, updatedDateUtc: later },
        { ...other, authEventId: connectionId },
      ],
      [choice],
    ],
    [
      'the latest, where no consents are named',
      [
        { ...connection, authEventId: null },
        { ...other, authEventId: undefined, updatedDateUtc: later },
      ],
      [otherChoice],
    ],
    [
      'one without a name, in capitals',
      [{ ...connection, tenantId: tenantId.toUpperCase(), tenantName: '' }],
      [{ ...choice, name: null }],
    ],
    [
      'those that can be read',
      [null, { ...other, id: 7 }, { ...other, tenantType: null }, connection],
      [choice],
    ],
  ])('lets choose from organisations: %s', async (_title, connections, choices) => {
    replyWith(json(tokenReply), json(connections));
    expect((await connect()).choices).toEqual(choices);
  });

  test('looks among all connections where the consent that is named has none', async () => {
    const access_token = jwtOf({ authentication_event_id: consentId });
    replyWith(json({ ...tokenReply, access_token }), json([]), json([connection, other]));
    expect((await connect()).choices).toEqual([choice, otherChoice]);
    expect(asked().map(({ query }) => query)).toEqual([
      undefined,
      { authEventId: consentId },
      undefined,
    ]);
  });

  test.each<[string, unknown]>([
    ['nothing', []],
    ['a practice only', [practice]],
  ])('that connected %s finds no company', async (_title, connections) => {
    replyWith(json(tokenReply), json(connections));
    expect(await reasonOf(connect())).toBe('company_not_found');
  });
});

test('tokens are refreshed with the refresh token', async () => {
  replyWith(json(tokenReply));
  expect(await refresh()).toEqual(tokens);
  expect(asked()).toEqual([
    tokenRequest({ grant_type: 'refresh_token', refresh_token: 'Secret+Old' }),
  ]);
});

describe('a company', () => {
  test('is known by one id, however it is written', async () => {
    replyWith(json(organisationReply()));
    const companyId = tenantId.toUpperCase();
    expect(await platform.company({ ...access, companyId })).toEqual(company);
    expect(asked()).toEqual([organisationCall]);
  });

  test.each(['', 'acme', '../connections', `${tenantId}\r\nX: 1`, `${tenantId}0`])(
    'cannot have the id "%s", and nothing is sent',
    async (companyId) => {
      const wrong = { ...held, companyId };
      for (const failing of [
        platform.company(wrong),
        platform.accountPage(wrong, pageOf()),
        platform.journalPage(wrong, pageOf()),
        platform.disconnect(wrong),
      ]) {
        expect(await reasonOf(failing)).toBe('company_not_found');
      }
      expect(asked()).toEqual([]);
    },
  );

  test.each<[string, unknown, unknown, string]>([
    ['the end of March', 3, 31, '03-31'],
    ['the end of February', 2, 28, '02-28'],
    ['the middle of a month', 4, 5, '04-05'],
    ['a day that no month has', 6, 31, '12-31'],
    ['a month alone', 6, undefined, '12-31'],
    ['a month that is none', 13, 31, '12-31'],
    ['texts', '3', '31', '12-31'],
    ['nothing', null, null, '12-31'],
  ])('whose fiscal year ends with %s', async (_title, month, day, expected) => {
    const year = { FinancialYearEndMonth: month, FinancialYearEndDay: day };
    replyWith(json(organisationReply(year)));
    expect(await readCompany()).toEqual({ ...company, financialYearEnd: expected });
  });

  test.each<[string, object]>([
    ['a currency that is none', organisationReply({ BaseCurrency: 'XXX' })],
    ['no name', organisationReply({ Name: ' ' })],
    ['no organisation at all', { Organisations: [] }],
  ])('with %s is not understood', async (_title, reply) => {
    replyWith(json(reply));
    expect(await reasonOf(readCompany())).toBe('reply_not_understood');
  });
});

/** What stands in front of the API refuses in these words. */
const gate = (code: number, Detail: string) =>
  status(code, { Type: null, Title: 'Any', Status: code, Detail, Instance: consentId });
const forbidden = gate(403, 'AuthenticationUnsuccessful');
const ended = gate(401, 'TokenExpired: token expired at 01/01/2026 00:00:00');
const limited = (limit: string, after?: string) =>
  status(429, {}, { 'X-Rate-Limit-Problem': limit, ...(after && { 'Retry-After': after }) });
const badGrant = status(400, { error: 'invalid_grant' });
const badClient = status(400, { error: 'invalid_client' });
const invalid = status(400, { ErrorNumber: 10, Type: 'ValidationException', Message: 'Not valid' });
const { refresh_token: _, ...accessOnly } = tokenReply;
const unsuccessful = { title: 'Unauthorized', detail: 'AuthenticationUnsuccessful' };
const takenBack = 'credentials_refused: 403 AuthenticationUnsuccessful';
const noScope = 'credentials_refused: 401 AuthorizationUnsuccessful';
const ofOld = 'credentials_refused: 401 AuthenticationUnsuccessful';

describe('a refusal', () => {
  test.each<[string, () => Promise<unknown>, FakeReply, string]>([
    ['of a code', connect, badGrant, 'code_refused: 400 invalid_grant'],
    ['of a refresh token', refresh, badGrant, 'credentials_refused: 400 invalid_grant'],
    ['of us, not the tenant', refresh, badClient, 'platform_unavailable: 400 invalid_client'],
    ['of us, without a word', refresh, status(401), 'platform_unavailable: 401'],
    ['of one refresh too many', refresh, limited('', '7'), 'rate_limited 7: 429'],
    ['of a company', readCompany, forbidden, 'company_not_found: 403 AuthenticationUnsuccessful'],
    ['of a tenant that was good before', readAccounts, forbidden, takenBack],
    ['of the journals of such a tenant', readJournals, forbidden, takenBack],
    ['of a token that has ended', readAccounts, ended, 'credentials_refused: 401 TokenExpired'],
    ['of the scope', readAccounts, gate(401, 'AuthorizationUnsuccessful'), noScope],
    ['in the small letters of older replies', readAccounts, status(401, unsuccessful), ofOld],
    ['of something else', readAccounts, { status: 403, body: '<h1>' }, 'credentials_refused: 403'],
    ['of the request', readAccounts, invalid, 'reply_not_understood: 400 ValidationException'],
    ['of a Xero out of order', readAccounts, gate(500, 'An error'), 'platform_unavailable: 500'],
    ['a minute’s limit', readAccounts, limited('Minute', '17'), 'rate_limited 17: 429 minute'],
    ['a day’s limit', readAccounts, limited('day', '66975'), 'rate_limited 66975: 429 day'],
    ['too many at once', readAccounts, limited('concurrent'), 'rate_limited 2: 429 concurrent'],
    ['a limit that is new', readAccounts, limited('Secret'), 'rate_limited: 429'],
    ['another token', refresh, json({ ...tokenReply, token_type: 'mac' }), 'reply_not_understood'],
    ['of offline access', connect, json(accessOnly), 'reply_not_understood'],
  ])('%s', async (_title, use, reply, expected) => {
    replyWith(reply);
    expect(await refusalOf(use())).toBe(expected);
    expect(asked()).toHaveLength(1);
  });
});

test.each<[string, () => Promise<unknown>, FakeReply, string | null]>([
  ['its detail', readAccounts, gate(500, 'An error'), 'An error'],
  [
    'its message',
    readAccounts,
    status(400, { Type: 'Any', Message: 'No such day' }),
    'No such day',
  ],
  ['its title', readAccounts, status(503, { Title: 'Offline' }), 'Offline'],
  [
    'a description',
    refresh,
    status(400, { error: 'invalid_grant', error_description: 'Used' }),
    'Used',
  ],
  ['nothing', readAccounts, status(502), null],
])('a failure is kept with what Xero says of it: %s', async (_title, use, reply, message) => {
  replyWith({ ...reply, headers: { 'xero-correlation-id': '31e2c94e' } });
  const { platformError } = await failureOf(use(), ['Secret']);
  expect(platformError).toMatchObject({ message, traceId: '31e2c94e' });
});

describe('giving the access back', () => {
  const other = { ...connection, id: consentId, tenantId: otherTenantId };
  const own = { ...connection, tenantId: tenantId.toUpperCase() };
  const deletion = withToken(`DELETE /api.xero.com/connections/${connectionId}`);

  test.each<[string, FakeReply[], object[]]>([
    [
      'deletes the connection of this company alone',
      [json([other, own]), status(204)],
      [list, deletion],
    ],
    [
      'needs no more of the list than ids',
      [json([null, { id: connectionId, tenantId }]), status(204)],
      [list, deletion],
    ],
    ['is done where there is no such connection', [json([other])], [list]],
    ['is done where it went in the meantime', [json([own]), status(404)], [list, deletion]],
  ])('%s', async (_title, replies, calls) => {
    replyWith(...replies);
    await platform.disconnect(held);
    expect(asked()).toEqual(calls);
  });

  test.each<[string, FakeReply, string]>([
    ['Xero is out of order', status(500), 'platform_unavailable'],
    ['the token has ended', ended, 'credentials_refused'],
  ])('fails where %s', async (_title, reply, reason) => {
    replyWith(json([connection]), reply);
    expect(await reasonOf(platform.disconnect(held))).toBe(reason);
  });
});
