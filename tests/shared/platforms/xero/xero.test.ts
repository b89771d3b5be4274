import { describe, expect, test } from 'vitest';
import { createXero } from '#shared/platforms/xero/xero.ts';
import {
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

const { platform, replyWith, sentRequests } = await openAdapter(createXero);

const withToken = (call: string) => ({ call, authorization: 'Bearer Secret-Access' });
const list = withToken('GET /api.xero.com/connections');
const organisationCall = {
  ...withToken('GET /api.xero.com/api.xro/2.0/Organisation'),
  tenant: tenantId,
};
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
  companyId: tenantId,
  dataCenter: null,
  name: 'Acme Works',
  currency: 'NZD',
  financialYearEnd: '12-31',
};

const connect = () =>
  platform.connect({
    code: 'Secret-Code',
    codeVerifier: 'Secret-Verifier',
    redirectUri,
    callback: new URLSearchParams(),
  });
const readCompany = () => platform.company(access);
const readAccounts = () => platform.accountPage(access, pageOf());

describe('an authorization', () => {
  const choice = { companyId: tenantId, dataCenter: null, name: 'Acme' };

  const jwtOf = (claims: unknown) =>
    `Secret.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.Secret`;

  test.each<[string, string, object | undefined]>([
    ['a consent', jwtOf({ authentication_event_id: consentId }), { authEventId: consentId }],
    ['an invalid id', jwtOf({ authentication_event_id: '../Secret' }), undefined],
    ['nothing', jwtOf({ sub: 'Secret' }), undefined],
    ['invalid JSON', 'Secret.e30x.Secret', undefined],
  ])('lists the connections of a token that contains %s', async (_title, token, query) => {
    replyWith(json({ ...tokenReply, access_token: token }), json([connection]));
    expect(await connect()).toMatchObject({ choices: [choice] });
    expect(sentRequests()[1]).toEqual({
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
      'all organisations of one consent, latest first',
      [other, { ...connection, updatedDateUtc: later }],
      [choice, otherChoice],
    ],
    ['not a practice', [practice, connection], [choice]],
    [
      'not of another consent',
      [
        { ...connection, updatedDateUtc: later },
        { ...other, authEventId: connectionId },
      ],
      [choice],
    ],
    [
      'only the latest without consents',
      [
        { ...connection, authEventId: null },
        { ...other, authEventId: undefined, updatedDateUtc: later },
      ],
      [otherChoice],
    ],
    [
      'an organisation without a name, in upper case',
      [{ ...connection, tenantId: tenantId.toUpperCase(), tenantName: '' }],
      [{ ...choice, name: null }],
    ],
    [
      'not unreadable connections',
      [null, { ...other, id: 7 }, { ...other, tenantType: null }, connection],
      [choice],
    ],
  ])('offers organisations: %s', async (_title, connections, choices) => {
    replyWith(json(tokenReply), json(connections));
    expect((await connect()).choices).toEqual(choices);
  });

  test('lists all connections if the consent has none', async () => {
    const access_token = jwtOf({ authentication_event_id: consentId });
    replyWith(json({ ...tokenReply, access_token }), json([]), json([connection, other]));
    expect((await connect()).choices).toEqual([choice, otherChoice]);
    expect(sentRequests().map(({ query }) => query)).toEqual([
      undefined,
      { authEventId: consentId },
      undefined,
    ]);
  });

  test.each<[string, unknown]>([
    ['nothing', []],
    ['only a practice', [practice]],
  ])('with %s connected finds no company', async (_title, connections) => {
    replyWith(json(tokenReply), json(connections));
    expect(await reasonOf(connect())).toBe('company_not_found');
  });
});

describe('a company', () => {
  test('has an id in upper or lower case', async () => {
    replyWith(json(organisationReply()));
    const companyId = tenantId.toUpperCase();
    expect(await platform.company({ ...access, companyId })).toEqual(company);
    expect(sentRequests()).toEqual([organisationCall]);
  });

  test.each<[string, unknown, unknown, string]>([
    ['the end of March', 3, 31, '03-31'],
    ['the end of February', 2, 28, '02-29'],
    ['an impossible day', 6, 31, '12-31'],
    ['texts', '3', '31', '12-31'],
    ['nothing', null, null, '12-31'],
  ])('has a fiscal year that ends with %s', async (_title, month, day, expected) => {
    const year = { FinancialYearEndMonth: month, FinancialYearEndDay: day };
    replyWith(json(organisationReply(year)));
    expect(await readCompany()).toEqual({ ...company, financialYearEnd: expected });
  });
});

/** An error of Xero's gateway. */
const gate = (code: number, Detail: string) =>
  status(code, { Type: null, Title: 'Any', Status: code, Detail, Instance: consentId });
const forbidden = gate(403, 'AuthenticationUnsuccessful');
const ended = gate(401, 'TokenExpired: token expired at 01/01/2026 00:00:00');
const limited = (limit: string, after?: string) =>
  status(429, {}, { 'X-Rate-Limit-Problem': limit, ...(after && { 'Retry-After': after }) });
const invalid = status(400, { ErrorNumber: 10, Type: 'ValidationException', Message: 'Not valid' });
const unsuccessful = { title: 'Unauthorized', detail: 'AuthenticationUnsuccessful' };
const takenBack = 'credentials_refused: 403 AuthenticationUnsuccessful';
const noScope = 'credentials_refused: 401 AuthorizationUnsuccessful';
const ofOld = 'credentials_refused: 401 AuthenticationUnsuccessful';

describe('a refusal', () => {
  test.each<[string, () => Promise<unknown>, FakeReply, string]>([
    ['of a company', readCompany, forbidden, 'company_not_found: 403 AuthenticationUnsuccessful'],
    ['of a connected tenant', readAccounts, forbidden, takenBack],
    ['of an expired token', readAccounts, ended, 'credentials_refused: 401 TokenExpired'],
    ['of the scope', readAccounts, gate(401, 'AuthorizationUnsuccessful'), noScope],
    ['in the form of older replies', readAccounts, status(401, unsuccessful), ofOld],
    ['of an unknown kind', readAccounts, { status: 403, body: '<h1>' }, 'credentials_refused: 403'],
    ['of the request', readAccounts, invalid, 'reply_not_understood: 400 ValidationException'],
    [
      'at the limit of a minute',
      readAccounts,
      limited('Minute', '17'),
      'rate_limited 17: 429 minute',
    ],
    ['at the limit of a day', readAccounts, limited('day', '66975'), 'rate_limited 66975: 429 day'],
    [
      'at the limit of concurrent calls',
      readAccounts,
      limited('concurrent'),
      'rate_limited 2: 429 concurrent',
    ],
    ['at an unknown limit', readAccounts, limited('Secret'), 'rate_limited: 429'],
  ])('%s', async (_title, use, reply, expected) => {
    replyWith(reply);
    expect(await refusalOf(use())).toBe(expected);
    expect(sentRequests()).toHaveLength(1);
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
])('a failure contains %s of Xero', async (_title, use, reply, message) => {
  replyWith({ ...reply, headers: { 'xero-correlation-id': '31e2c94e' } });
  const { platformError } = await failureOf(use(), ['Secret']);
  expect(platformError).toMatchObject({ message, traceId: '31e2c94e' });
});

describe('a disconnection', () => {
  const other = { ...connection, id: consentId, tenantId: otherTenantId };
  const own = { ...connection, tenantId: tenantId.toUpperCase() };
  const deletion = withToken(`DELETE /api.xero.com/connections/${connectionId}`);

  test.each<[string, FakeReply[], object[]]>([
    [
      'deletes only the connection of this company',
      [json([other, own]), status(204)],
      [list, deletion],
    ],
    [
      'needs only ids in the list',
      [json([null, { id: connectionId, tenantId }]), status(204)],
      [list, deletion],
    ],
    ['does nothing without a connection', [json([other])], [list]],
    ['succeeds if the connection was just deleted', [json([own]), status(404)], [list, deletion]],
  ])('%s', async (_title, replies, calls) => {
    replyWith(...replies);
    await platform.disconnect(held);
    expect(sentRequests()).toEqual(calls);
  });
});
