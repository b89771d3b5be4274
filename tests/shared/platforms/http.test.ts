import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  basicAuthorization,
  classifyOAuthError,
  type HttpOptions,
  openHttp,
  type PlatformCall,
} from '#shared/platforms/http.ts';
import { failureOf } from '../../support/readers/platform-failures.ts';
import { type FakeReply, startFakeServer } from '../../support/servers/fake-server.ts';

const token = 'Very-Secret.Token_123';
const schema = z.object({ name: z.string() });

let server: Awaited<ReturnType<typeof startFakeServer>>;

beforeAll(async () => {
  server = await startFakeServer();
});
afterAll(() => server.stop());
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

/** What a call that must fail fails with; the fake server's address is left out. */
const whatFails = async (failing: Promise<unknown>) => {
  const { cause, ...failure } = await failureOf(failing, [token]);
  return { ...failure, cause: cause.replace(server.url, '') };
};

describe('a call of a platform', () => {
  test('is a GET with its headers, whose reply is parsed', async () => {
    server.reply = { body: '{"name":"Ada","more":1}' };
    const headers = { Authorization: `Bearer ${token}`, 'Company-Id': '42' };
    expect(await call({ headers })).toEqual({ name: 'Ada' });
    expect(server.requests).toMatchObject([
      {
        method: 'GET',
        path: `/things?code=${token}`,
        headers: {
          authorization: `Bearer ${token}`,
          'company-id': '42',
          accept: 'application/json',
        },
        body: '',
      },
    ]);
    expect(server.requests[0]?.headers).not.toHaveProperty('content-type');
  });

  test.each<[string, NonNullable<PlatformCall<unknown>['send']>, object]>([
    [
      'a form',
      { form: { grant_type: 'a b', code: 'c+d&e' } },
      {
        headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
        body: 'grant_type=a+b&code=c%2Bd%26e',
      },
    ],
    [
      'JSON',
      { json: { token: 'é', more: [1] } },
      { headers: { 'content-type': 'application/json' }, body: '{"token":"é","more":[1]}' },
    ],
  ])('with %s is a POST of it', async (_, send, sent) => {
    server.reply = { body: '{"name":"Ada"}' };
    expect(await call({ send })).toEqual({ name: 'Ada' });
    expect(server.requests).toMatchObject([{ method: 'POST', ...sent }]);
  });

  test('can be a DELETE, whose reply has no body', async () => {
    server.reply = { status: 204, body: '' };
    const { call: request } = openHttp({});
    const asked = { method: 'DELETE', url: new URL('/things/7', server.url) } as const;
    const reply = await request({ ...asked, headers: {}, schema: z.undefined() });
    expect(reply).toBeUndefined();
    expect(server.requests).toMatchObject([{ method: 'DELETE', path: '/things/7', body: '' }]);
  });

  test('is explained by its reply, whatever its status', async () => {
    server.reply = { headers: { 'X-Code': '3' }, body: '{"name":"Ada"}' };
    const replies: unknown[] = [];
    await call({
      classify: ({ status, headers, body }) => {
        replies.push([status, headers.get('x-code'), body]);
        return undefined;
      },
    });
    expect(replies).toEqual([[200, '3', { name: 'Ada' }]]);
  });

  test('sends client credentials form-encoded, so that a colon cannot split them', () => {
    const header = basicAuthorization({ clientId: 'my:id', clientSecret: 'a b%ü' });
    expect(Buffer.from(header.replace('Basic ', ''), 'base64').toString()).toBe(
      'my%3Aid:a%20b%25%C3%BC',
    );
  });
});

describe('an address', () => {
  test.each<[string, HttpOptions, string]>([
    ['is at the platform', {}, 'https://api.example.com/v1/things?page=2'],
    [
      'is at the copy of the platform, below its host',
      { baseUrlOverride: 'http://localhost:3002/platform_a' },
      'http://localhost:3002/platform_a/api.example.com/v1/things?page=2',
    ],
    [
      'is there too where the address of the copy ends with slashes',
      { baseUrlOverride: 'http://localhost:3002/platform_a//' },
      'http://localhost:3002/platform_a/api.example.com/v1/things?page=2',
    ],
    [
      'is below the root of a copy that has no path',
      { baseUrlOverride: 'http://localhost:3002' },
      'http://localhost:3002/api.example.com/v1/things?page=2',
    ],
  ])('%s', (_, options, address) => {
    expect(openHttp(options).urlOf('api.example.com', '/v1/things?page=2').href).toBe(address);
  });
});

const refused = (status: number, more: Omit<FakeReply, 'status'> = {}): FakeReply => ({
  status,
  ...more,
});

describe('a failing reply', () => {
  test.each<[string, FakeReply, string, string]>([
    ['401 refuses the credentials', refused(401), 'credentials_refused', 'was answered 401'],
    ['403 refuses the credentials', refused(403), 'credentials_refused', 'was answered 403'],
    ['404 is not understood', refused(404), 'reply_not_understood', 'was answered 404'],
    ['500 is a platform out of order', refused(500), 'platform_unavailable', 'was answered 500'],
    ['503 is a platform out of order', refused(503), 'platform_unavailable', 'was answered 503'],
    [
      'a redirect is not followed',
      refused(302, { headers: { Location: '/elsewhere' } }),
      'reply_not_understood',
      'was answered 302',
    ],
    [
      'a meaning given for a code goes before the status, and the cause names the code',
      refused(400, { body: '{"error":"gone"}' }),
      'company_not_found',
      'was answered 400 gone',
    ],
    [
      'a meaning given for a status goes before the general one',
      refused(410),
      'company_not_found',
      'was answered 410',
    ],
    [
      'a meaning can be given for a success',
      { body: '{"error":"gone"}' },
      'company_not_found',
      'was answered 200 gone',
    ],
    [
      'text that is not JSON is not understood',
      { body: `<p>${token}</p>` },
      'reply_not_understood',
      'was answered with a body that is wrong at its root',
    ],
    [
      'JSON that is cut off is not understood',
      { body: `{"name":"${token}"` },
      'reply_not_understood',
      'was answered with a body that is wrong at its root',
    ],
    [
      'JSON of another form is not understood',
      { body: `{"name":["${token}"]}` },
      'reply_not_understood',
      'was answered with a body that is wrong at name',
    ],
  ])('%s', async (_title, reply, reason, cause) => {
    server.reply = reply;
    const ofGone = z.object({ error: z.literal('gone') });
    const failing = call({
      classify: ({ status, body }) => {
        const code = ofGone.safeParse(body).data?.error;
        return code || status === 410 ? { reason: 'company_not_found', code } : undefined;
      },
    });
    expect(await whatFails(failing)).toEqual({
      reason,
      retryAfterSeconds: undefined,
      cause: `GET /things ${cause}`,
    });
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, string, string]>([
    [
      'JSON means that the credentials are refused',
      '{"title":"Unauthorized"}',
      'credentials_refused',
    ],
    ['no body means that the credentials are refused', '', 'credentials_refused'],
    ['a page means that somebody on the way has answered', '<html>', 'platform_unavailable'],
  ])('401 or 403 with %s', async (_title, body, reason) => {
    for (const status of [401, 403]) {
      server.reply = { status, body };
      expect((await whatFails(call())).reason).toBe(reason);
    }
  });

  test.each<[string, string | undefined, number | undefined, unknown]>([
    ['in seconds', '17', undefined, 17],
    ['of none', '0', undefined, 0],
    ['with a fraction', '1.5', undefined, 2],
    ['beyond a day', '999999999', undefined, 86_400],
    ['as a date', new Date(Date.now() + 60_000).toUTCString(), undefined, expect.closeTo(60, -1)],
    ['as a date that has passed', 'Wed, 21 Oct 2015 07:28:00 GMT', undefined, 0],
    ['in words that nobody knows', 'soon', undefined, undefined],
    ['in words that nobody knows, where the platform is known to mean 60', 'soon', 60, 60],
    ['that says other than what is known of the platform', '17', 60, 17],
    ['left out, where the platform is known to mean 60', undefined, 60, 60],
    ['left out', undefined, undefined, undefined],
  ])('429 is a rate limit, with Retry-After %s', async (_title, value, known, expected) => {
    const headers = value === undefined ? {} : { 'Retry-After': value };
    server.reply = { status: 429, headers };
    const classify = () =>
      known === undefined
        ? undefined
        : ({ reason: 'rate_limited', retryAfterSeconds: known } as const);
    expect(await whatFails(call({ classify }))).toEqual({
      reason: 'rate_limited',
      retryAfterSeconds: expected,
      cause: 'GET /things was answered 429',
    });
  });
});

describe("a token endpoint's error", () => {
  test.each<[string, string, object]>([
    [
      'invalid_grant is about the grant',
      '{"error":"invalid_grant","error_description":"no"}',
      { reason: 'code_refused', cause: 'POST /things was answered 400 invalid_grant' },
    ],
    [
      'invalid_client is about us, and passes for an outage',
      '{"error":"invalid_client"}',
      { reason: 'platform_unavailable', cause: 'POST /things was answered 400 invalid_client' },
    ],
    [
      'unauthorized_client is about us, and passes for an outage',
      '{"error":"unauthorized_client"}',
      {
        reason: 'platform_unavailable',
        cause: 'POST /things was answered 400 unauthorized_client',
      },
    ],
    [
      'another code is left to the status',
      '{"error":"invalid_scope"}',
      { reason: 'reply_not_understood', cause: 'POST /things was answered 400 invalid_scope' },
    ],
    [
      'what could be a secret is left out',
      `{"error":"${token}"}`,
      { reason: 'reply_not_understood', cause: 'POST /things was answered 400' },
    ],
    [
      'no JSON is left to the status',
      token,
      { reason: 'reply_not_understood', cause: 'POST /things was answered 400' },
    ],
  ])('%s', async (_, body, expected) => {
    server.reply = { status: 400, body };
    const failing = call({ send: { form: {} }, classify: classifyOAuthError('code_refused') });
    expect(await whatFails(failing)).toEqual({ retryAfterSeconds: undefined, ...expected });
  });

  test('refuses the credentials where a refresh token was sent', () => {
    const reply = {
      status: 400,
      headers: new Headers(),
      body: { error: 'invalid_grant' },
      isFromIntermediary: false,
    };
    expect(classifyOAuthError('credentials_refused')(reply)).toEqual({
      reason: 'credentials_refused',
      code: 'invalid_grant',
    });
  });
});

describe('no reply', () => {
  test('in time is a platform that timed out', async () => {
    server.reply = undefined;
    expect(await whatFails(call({}, { timeoutMilliseconds: 50 }))).toEqual({
      reason: 'platform_timed_out',
      retryAfterSeconds: undefined,
      cause: 'GET /things got no reply: TimeoutError',
    });
  });

  test('to its end in time is a platform that timed out', async () => {
    server.reply = { headers: { 'Content-Length': '100' }, body: '{"name":' };
    expect(await whatFails(call({}, { timeoutMilliseconds: 50 }))).toMatchObject({
      reason: 'platform_timed_out',
    });
  });

  test('because nobody listens is a platform that is unavailable', async () => {
    const gone = await startFakeServer();
    await gone.stop();
    expect(await whatFails(call({ url: new URL('/things', gone.url) }))).toEqual({
      reason: 'platform_unavailable',
      retryAfterSeconds: undefined,
      cause: `GET ${gone.url}/things got no reply: ECONNREFUSED`,
    });
  });

  test.each<[string, string]>([
    ['a line break', `Bearer ${token}\r\nX-Other: 1`],
    ['a line feed', `Bearer ${token}\n`],
    ['a control character', `Bearer ${token}\0`],
    ['a letter beyond ASCII', `Bearer ${token}é`],
    ['nothing', ''],
  ])('because a header would hold %s: refused, and nothing is sent', async (_, value) => {
    for (const name of ['Authorization', 'Company-Id']) {
      expect(await whatFails(call({ headers: { Accept: '*/*', [name]: value } }))).toEqual({
        reason: 'credentials_refused',
        retryAfterSeconds: undefined,
        cause: 'GET /things was not sent: its credentials do not fit into a header',
      });
    }
    expect(server.requests).toEqual([]);
  });

  test('does not let an error of fetch out, which can quote what it was given', async () => {
    const failing = async () => {
      throw new TypeError(`Bearer ${token} is an invalid header value`);
    };
    expect(await whatFails(call({}, { fetch: failing }))).toEqual({
      reason: 'platform_unavailable',
      retryAfterSeconds: undefined,
      cause: 'GET /things got no reply: TypeError',
    });
  });
});
