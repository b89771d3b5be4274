import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type HttpOptions, openHttp, type PlatformCall } from '#shared/platforms/http.ts';
import { basicAuthorization, classifyOAuthError } from '#shared/platforms/oauth.ts';
import { status } from '../../support/harnesses/adapters.ts';
import { failureOf } from '../../support/readers/platform-failures.ts';
import { type FakeReply, startFakeServer } from '../../support/servers/fake-server.ts';

const token = 'Very-Secret.Token_123';
const schema = z.object({ name: z.string() });
const ada = { body: '{"name":"Ada","more":1}' };

const server = await startFakeServer();
afterAll(server.stop);
beforeEach(() => {
  server.requests.length = 0;
});

const call = (
  overrides: Partial<PlatformCall<typeof schema>> = {},
  options: HttpOptions = { timeoutMilliseconds: 2_000 },
) =>
  openHttp(options).call({
    url: new URL(`/things?code=${token}`, server.url),
    headers: { Authorization: `Bearer ${token}` },
    schema,
    ...overrides,
  });

/** The reason of a failed call, its Retry-After in seconds, and its cause. */
const whatFails = async (failing: Promise<unknown>) => {
  const { reason, retryAfterSeconds, cause } = await failureOf(failing, [token]);
  return [reason, retryAfterSeconds, cause.replace(`${server.url}`, '')];
};

describe('a call of a platform', () => {
  test('is a GET with its headers and a parsed reply', async () => {
    server.reply = ada;
    const headers = { Authorization: `Bearer ${token}`, 'Company-Id': '42' };
    expect(await call({ headers })).toEqual({ name: 'Ada' });
    const sent = {
      authorization: `Bearer ${token}`,
      'company-id': '42',
      accept: 'application/json',
    };
    expect(server.requests).toMatchObject([
      { method: 'GET', path: `/things?code=${token}`, headers: sent, body: '' },
    ]);
    expect(server.requests[0]?.headers).not.toHaveProperty('content-type');
  });

  test.each<[string, NonNullable<PlatformCall<unknown>['send']>, string, string]>([
    [
      'a form',
      { form: { grant_type: 'a b', code: 'c+d&e' } },
      'application/x-www-form-urlencoded;charset=UTF-8',
      'grant_type=a+b&code=c%2Bd%26e',
    ],
    ['JSON', { json: { token: 'é', more: [1] } }, 'application/json', '{"token":"é","more":[1]}'],
  ])('with %s is a POST of it', async (_title, send, type, body) => {
    server.reply = ada;
    expect(await call({ send })).toEqual({ name: 'Ada' });
    const headers = { 'content-type': type };
    expect(server.requests).toMatchObject([{ method: 'POST', headers, body }]);
  });

  test('can be a DELETE with an empty reply', async () => {
    server.reply = status(204);
    const asked = { method: 'DELETE', url: new URL('/things/7', server.url), headers: {} } as const;
    expect(await openHttp({}).call({ ...asked, schema: z.undefined() })).toBeUndefined();
    expect(server.requests).toMatchObject([{ method: 'DELETE', path: '/things/7', body: '' }]);
  });

  test('form-encodes client credentials, which can contain a colon', () => {
    const header = basicAuthorization({ clientId: 'my:id', clientSecret: 'a b%ü' });
    const sent = Buffer.from(header.replace('Basic ', ''), 'base64').toString();
    expect(sent).toBe('my%3Aid:a%20b%25%C3%BC');
  });

  test.each<[string, string | undefined, string]>([
    ['at the platform', undefined, 'https://'],
    ['below the override', 'http://localhost:3002/a', 'http://localhost:3002/a/'],
    ['below one that ends with slashes', 'http://localhost:3002/a//', 'http://localhost:3002/a/'],
    ['below one without a path', 'http://localhost:3002', 'http://localhost:3002/'],
  ])('has its URL %s', (_title, baseUrlOverride, base) => {
    const { href } = openHttp({ baseUrlOverride }).urlOf('api.example.com', '/v1/things?page=2');
    expect(href).toBe(`${base}api.example.com/v1/things?page=2`);
  });
});

describe('a failing reply', () => {
  const gone = '{"error":"gone"}';
  const atRoot = 'with a body that is wrong at its root';

  test.each<[string, FakeReply, string, string]>([
    ['401 refuses the credentials', status(401), 'credentials_refused', '401'],
    ['403 refuses the credentials', status(403), 'credentials_refused', '403'],
    ['404 is not understood', status(404), 'reply_not_understood', '404'],
    ['500 means that the platform is unavailable', status(500), 'platform_unavailable', '500'],
    ['503 means that the platform is unavailable', status(503), 'platform_unavailable', '503'],
    [
      'a redirect is not followed',
      status(302, undefined, { Location: '/elsewhere' }),
      'reply_not_understood',
      '302',
    ],
    ['a known code', { status: 400, body: gone }, 'company_not_found', '400 gone'],
    ['a known status', status(410), 'company_not_found', '410'],
    ['a known code in a success', { body: gone }, 'company_not_found', '200 gone'],
    ['no JSON', { body: `<p>${token}</p>` }, 'reply_not_understood', atRoot],
    ['truncated JSON', { body: `{"name":"${token}"` }, 'reply_not_understood', atRoot],
    [
      'JSON of another form',
      { body: `{"name":["${token}"]}` },
      'reply_not_understood',
      'with a body that is wrong at name',
    ],
  ])('%s', async (_title, reply, reason, answered) => {
    server.reply = reply;
    const ofGone = z.object({ error: z.literal('gone') });
    const failing = call({
      classify: ({ status: code, body }) => {
        const { error } = ofGone.safeParse(body).data ?? {};
        return error || code === 410 ? { reason: 'company_not_found', code: error } : undefined;
      },
    });
    const cause = `GET /things was answered ${answered}`;
    expect(await whatFails(failing)).toEqual([reason, undefined, cause]);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['JSON', '{"title":"Unauthorized"}', 'credentials_refused'],
    ['no body', '', 'credentials_refused'],
    ['a page of a proxy', '<html>', 'platform_unavailable'],
  ])('401 or 403 with %s', async (_title, body, reason) => {
    for (const code of [401, 403]) {
      server.reply = { status: code, body };
      expect((await whatFails(call()))[0]).toBe(reason);
    }
  });

  test.each<[string, string | undefined, number | undefined, unknown]>([
    ['in seconds', '17', undefined, 17],
    ['of zero seconds', '0', undefined, 0],
    ['with a fraction', '1.5', undefined, 2],
    ['beyond a day', '999999999', undefined, 86_400],
    ['as a date', new Date(Date.now() + 60_000).toUTCString(), undefined, expect.closeTo(60, -1)],
    ['as a date that has passed', 'Wed, 21 Oct 2015 07:28:00 GMT', undefined, 0],
    ['that is unreadable', 'soon', undefined, undefined],
    ['that is unreadable, with a default of 60', 'soon', 60, 60],
    ['that differs from the default of 60', '17', 60, 17],
    ['missing, with a default of 60', undefined, 60, 60],
    ['missing', undefined, undefined, undefined],
  ])('429 is a rate limit, with Retry-After %s', async (_title, value, known, expected) => {
    server.reply = { status: 429, headers: value === undefined ? {} : { 'Retry-After': value } };
    const limited = { reason: 'rate_limited', retryAfterSeconds: known } as const;
    const failing = call({ classify: () => (known === undefined ? undefined : limited) });
    const cause = 'GET /things was answered 429';
    expect(await whatFails(failing)).toEqual(['rate_limited', expected, cause]);
  });
});

describe("a token endpoint's error", () => {
  const error = (code: string) => status(400, { error: code, error_description: 'Ask us' });

  test.each<[string, FakeReply, string, string]>([
    ['is about the grant', error('invalid_grant'), 'refused', ' invalid_grant'],
    ['is about us', error('invalid_client'), 'platform_unavailable', ' invalid_client'],
    [
      'is about us too',
      error('unauthorized_client'),
      'platform_unavailable',
      ' unauthorized_client',
    ],
    ['is left to the status', error('invalid_scope'), 'reply_not_understood', ' invalid_scope'],
    ['is not quoted if it could be a secret', error(token), 'reply_not_understood', ''],
    ['is not JSON', { status: 400, body: token }, 'reply_not_understood', ''],
  ])('%s', async (_title, reply, reason, code) => {
    server.reply = reply;
    const cause = `POST /things was answered 400${code}`;
    for (const refused of ['code_refused', 'credentials_refused'] as const) {
      const failing = call({ send: { form: {} }, classify: classifyOAuthError(refused) });
      const expected = reason === 'refused' ? refused : reason;
      expect(await whatFails(failing)).toEqual([expected, undefined, cause]);
    }
  });
});

describe('the description of a failure', () => {
  const client = { clientId: 'ledger', clientSecret: 'Very-Secret:Client' };
  const said = (words: string, headers: Record<string, string> = {}) =>
    status(400, { words }, headers);

  /** The stored description of a failing reply, checked for secrets. */
  const keptOf = async (reply: FakeReply, asked: Partial<PlatformCall<typeof schema>> = {}) => {
    server.reply = reply;
    const Words = z.object({ words: z.string() });
    const failing = openHttp({}, { traceHeader: 'Trace-Id' }).call({
      url: new URL('/things', server.url),
      headers: { Authorization: `Bearer ${token}` },
      schema,
      classify: ({ body }) => ({ code: '7', message: Words.safeParse(body).data?.words }),
      ...asked,
    });
    return (await failureOf(failing, [token, client.clientSecret])).platformError;
  };

  test.each<[string, string, string | null]>([
    ['unchanged', 'The company is locked: ask its owner', 'The company is locked: ask its owner'],
    ['without the token that it repeats', `Token '${token}' is bad`, "Token '…' is bad"],
    [
      'without the percent-encoded token',
      `No /things?code=${token}%20x&${token}`,
      'No /things?code=…%20x&…',
    ],
    [
      'without the token in Base64',
      `Bad: ${Buffer.from(`Bearer ${token}`).toString('base64')}`,
      'Bad: …',
    ],
    [
      'without a token of another call and without a truncated token',
      'Bad: AB117made0up1for2this3test4alone5and6no7other, 1000.8cb99dxx9be93dd19be93.9b8',
      'Bad: …, 1000.….9b8',
    ],
    [
      'with ids and addresses',
      'No 5e2d6318-d51d-415a-87a4-0a1b2c3d4e5f, see developer.example/documentation/oauth2/errors',
      'No 5e2d6318-d51d-415a-87a4-0a1b2c3d4e5f, see developer.example/documentation/oauth2/errors',
    ],
    ['without invisible characters', `a\u202eb ${token.replace('.', '.\u202e')}`, 'ab …'],
    ['truncated', 'no '.repeat(200), 'no '.repeat(100)],
    ['unless it is empty', '', null],
  ])('is kept %s', async (_title, words, message) => {
    const expected = { code: '7', message, traceId: null };
    expect(await keptOf(said(words))).toEqual(expected);
  });

  test.each<[string, Partial<PlatformCall<typeof schema>>, string, string]>([
    [
      'a form, except its grant type',
      { send: { form: { grant_type: 'refresh_token', refresh_token: 'Old+Refresh/1' } } },
      'bad refresh_token Old+Refresh/1, sent as Old%2BRefresh%2F1',
      'bad refresh_token …, sent as …',
    ],
    ['JSON', { send: { json: { token: 'Old-Refresh' } } }, 'Old-Refresh?', '…?'],
    [
      'client credentials',
      { headers: { Authorization: basicAuthorization(client) } },
      `${client.clientSecret} in ${basicAuthorization(client)}`,
      '… in Basic …',
    ],
  ])('does not contain %s', async (_title, asked, words, message) => {
    expect(await keptOf(said(words), asked)).toMatchObject({ message });
  });

  test('has the trace id of the reply, even if the reply is not understood', async () => {
    const traced = { 'trace-id': `1-${token}-2` };
    const error = { code: '7', message: 'no', traceId: '1-…-2' };
    expect(await keptOf(said('no', traced))).toEqual(error);
    const wrong = { body: '{}', headers: { 'Trace-Id': 'abc' } };
    const nothing = { code: null, message: null, traceId: 'abc' };
    expect(await keptOf(wrong, { classify: () => undefined })).toEqual(nothing);
  });
});

describe('no reply', () => {
  const timedOut = ['platform_timed_out', undefined, 'GET /things got no reply: TimeoutError'];

  test.each<[string, FakeReply | undefined]>([
    ['before the time limit', undefined],
    ['completed before the time limit', { headers: { 'Content-Length': '100' }, body: '{"name":' }],
  ])('%s is a timeout', async (_title, reply) => {
    server.reply = reply;
    expect(await whatFails(call({}, { timeoutMilliseconds: 50 }))).toEqual(timedOut);
  });

  test('within the limit of one call is also a timeout', async () => {
    server.reply = undefined;
    expect(await whatFails(call({ timeoutMilliseconds: 50 }))).toEqual(timedOut);
    server.reply = ada;
    expect(await call({ timeoutMilliseconds: 2_000 }, { timeoutMilliseconds: 1 })).toEqual({
      name: 'Ada',
    });
  });

  test('from a closed port means that the platform is unavailable', async () => {
    const gone = await startFakeServer();
    await gone.stop();
    const cause = `GET ${gone.url}/things got no reply: ECONNREFUSED`;
    const failing = call({ url: new URL('/things', gone.url) });
    expect(await whatFails(failing)).toEqual(['platform_unavailable', undefined, cause]);
  });

  test.each<[string, string]>([
    ['a line break', `Bearer ${token}\r\nX-Other: 1`],
    ['a line feed', `Bearer ${token}\n`],
    ['a control character', `Bearer ${token}\0`],
    ['a letter beyond ASCII', `Bearer ${token}é`],
    ['nothing', ''],
  ])('because of a header with %s: refused and not sent', async (_title, value) => {
    const cause = 'GET /things was not sent: its credentials do not fit into a header';
    for (const name of ['Authorization', 'Company-Id']) {
      const failing = call({ headers: { Accept: '*/*', [name]: value } });
      expect(await whatFails(failing)).toEqual(['credentials_refused', undefined, cause]);
    }
    expect(server.requests).toEqual([]);
  });

  test('hides an error of fetch, because it can quote a header', async () => {
    const fetch = async () => {
      throw new TypeError(`Bearer ${token} is an invalid header value`);
    };
    const cause = 'GET /things got no reply: TypeError';
    expect(await whatFails(call({}, { fetch }))).toEqual([
      'platform_unavailable',
      undefined,
      cause,
    ]);
  });
});
