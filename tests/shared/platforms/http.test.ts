import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  basicAuthorization,
  bearerAuthorization,
  type HttpOptions,
  type Meanings,
  openHttp,
  type PlatformCall,
} from '#shared/platforms/http.ts';
import { PlatformFailure, type PlatformFailureReason } from '#shared/platforms/platform.ts';
import { type FakeReply, startFakeServer } from '../../support/fake-server.ts';

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
  openHttp(options)({
    url: new URL(`/things?code=${token}`, server.url),
    authorization: bearerAuthorization(token),
    schema,
    ...overrides,
  });

/** What a call that must fail fails with, as plain data, after a look for what is secret. */
const failureOf = async (failing: Promise<unknown>) => {
  const error = await failing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PlatformFailure)) throw new Error(`no PlatformFailure: ${inspect(error)}`);
  const everything = inspect(error, { depth: null, showHidden: true }) + JSON.stringify(error);
  expect(everything).not.toContain('Secret');
  const { reason, retryAfterSeconds, cause } = error;
  const said = (cause as Error).message.replace(server.url, '').replace(/:\d+/, '');
  return { reason, retryAfterSeconds, cause: said };
};

describe('a call of a platform', () => {
  test('is a GET with the authorization, whose reply is parsed', async () => {
    server.reply = { body: '{"name":"Ada","more":1}' };
    expect(await call()).toEqual({ name: 'Ada' });
    expect(server.requests).toMatchObject([
      {
        method: 'GET',
        path: `/things?code=${token}`,
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
        body: '',
      },
    ]);
  });

  test('with a form is a POST of that form', async () => {
    server.reply = { body: '{"name":"Ada"}' };
    await call({ form: { grant_type: 'a b', code: 'c+d&e' } });
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
        body: 'grant_type=a+b&code=c%2Bd%26e',
      },
    ]);
  });

  test('sends client credentials form-encoded, so that a colon cannot split them', () => {
    const header = basicAuthorization({ clientId: 'my:id', clientSecret: 'a b%ü' });
    expect(Buffer.from(header.replace('Basic ', ''), 'base64').toString()).toBe(
      'my%3Aid:a%20b%25%C3%BC',
    );
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
      'an OAuth error code is named in the cause',
      refused(400, { body: '{"error":"invalid_scope"}' }),
      'reply_not_understood',
      'was answered 400 invalid_scope',
    ],
    [
      'an OAuth error that could be a secret is left out',
      refused(400, { body: `{"error":"${token}"}` }),
      'reply_not_understood',
      'was answered 400',
    ],
    [
      'a meaning given for an OAuth error goes before the status',
      refused(400, { body: '{"error":"invalid_grant"}' }),
      'code_refused',
      'was answered 400 invalid_grant',
    ],
    [
      'a meaning given for a status goes before the general one',
      refused(410),
      'company_not_found',
      'was answered 410',
    ],
    [
      'text that is not JSON is not understood',
      { body: `<p>${token}</p>` },
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
    const meanings: Meanings = new Map<string | number, PlatformFailureReason>([
      ['invalid_grant', 'code_refused'],
      [410, 'company_not_found'],
    ]);
    expect(await failureOf(call({ meanings }))).toEqual({
      reason,
      retryAfterSeconds: undefined,
      cause: `GET /things ${cause}`,
    });
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, string, unknown]>([
    ['in seconds', '17', 17],
    ['as a date', new Date(Date.now() + 60_000).toUTCString(), expect.closeTo(60, -1)],
    ['as a date that has passed', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['in words that nobody knows', 'soon', undefined],
  ])('429 is a rate limit, with Retry-After %s', async (_title, value, retryAfterSeconds) => {
    server.reply = { status: 429, headers: { 'Retry-After': value } };
    expect(await failureOf(call())).toEqual({
      reason: 'rate_limited',
      retryAfterSeconds,
      cause: 'GET /things was answered 429',
    });
  });
});

describe('no reply', () => {
  test('in time is a platform that timed out', async () => {
    server.reply = undefined;
    expect(await failureOf(call({}, { timeoutMilliseconds: 50 }))).toEqual({
      reason: 'platform_timed_out',
      retryAfterSeconds: undefined,
      cause: 'GET /things got no reply: TimeoutError',
    });
  });

  test('to its end in time is a platform that timed out', async () => {
    server.reply = { headers: { 'Content-Length': '100' }, body: '{"name":' };
    expect(await failureOf(call({}, { timeoutMilliseconds: 50 }))).toMatchObject({
      reason: 'platform_timed_out',
    });
  });

  test('because nobody listens is a platform that is unavailable', async () => {
    const gone = await startFakeServer();
    await gone.stop();
    expect(await failureOf(call({ url: new URL('/things', gone.url) }))).toEqual({
      reason: 'platform_unavailable',
      retryAfterSeconds: undefined,
      cause: expect.stringMatching(/^GET .*\/things got no reply: ECONNREFUSED$/),
    });
  });

  test('because a token fits into no header: refused, and nothing is sent', async () => {
    const authorization = bearerAuthorization(`${token}\r\nX-Other: 1`);
    expect(await failureOf(call({ authorization }))).toEqual({
      reason: 'credentials_refused',
      retryAfterSeconds: undefined,
      cause: 'GET /things was not sent: its credentials do not fit into a header',
    });
    expect(server.requests).toEqual([]);
  });

  test('does not let an error of fetch out, which can quote what it was given', async () => {
    const failing = async () => {
      throw new TypeError(`Bearer ${token} is an invalid header value`);
    };
    expect(await failureOf(call({}, { fetch: failing }))).toEqual({
      reason: 'platform_unavailable',
      retryAfterSeconds: undefined,
      cause: 'GET /things got no reply: TypeError',
    });
  });
});
