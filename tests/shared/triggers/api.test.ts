import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { amount, text } from '#shared/domain/fields.ts';
import { errorEnvelope, problem, Refusal, type RefusalCode } from '#shared/errors.ts';
import {
  type ApiReply,
  createApiHandler,
  type Endpoint,
  middlewaresOf,
} from '#shared/triggers/api.ts';
import { record, recordContentionRetry } from '#shared/usage.ts';
import { type ApiEventOptions, apiEvent, lambdaContext, readResult } from '../../support/events.ts';
import { keepLog } from '../../support/log.ts';

const Request = z.strictObject({ note: text(300_000), amount: z.optional(amount) });
const Data = z.object({ note: z.string(), amount: z.optional(amount) });
type TestEndpoint = Endpoint<typeof Request, typeof Data>;

const echo: TestEndpoint['handle'] = async ({ input }) => ({ data: input });

/** Calls an endpoint that echoes its input, with what a test changes of it. */
const call = async (
  event: ApiEventOptions & { isBase64Encoded?: boolean },
  changes: Partial<TestEndpoint> & { remainingMilliseconds?: number } = {},
) => {
  const log = keepLog();
  const { remainingMilliseconds, ...endpoint } = changes;
  const handler = createApiHandler(
    { from: 'body', request: Request, data: Data, handle: echo, ...endpoint },
    { log },
  );
  const { isBase64Encoded = false, ...options } = event;
  const result = await handler(
    { ...apiEvent(options), isBase64Encoded },
    lambdaContext(remainingMilliseconds),
  );
  return { ...readResult(result), log: log.lines as [string, Record<string, unknown>][] };
};

const requestId = apiEvent({}).requestContext.requestId;
const ownHeaders = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

const success = (data: unknown) => ({
  status: 200,
  headers: ownHeaders,
  body: { status: 'success', status_code: 200, data },
});

const failure = (
  code: RefusalCode,
  status: number,
  { details = [], headers = {} }: { details?: unknown[]; headers?: Record<string, string> } = {},
) => {
  const { error } = errorEnvelope({ code, requestId });
  return {
    status,
    headers: { ...ownHeaders, ...headers },
    body: { status: 'error', status_code: status, error: { ...error, details } },
  };
};

const requestLine = (status: number, more = {}) => [
  'request',
  {
    request_id: requestId,
    application_id: 'app1',
    route: 'POST /external/v1/test',
    status,
    duration_ms: expect.any(Number),
    table_calls: 0,
    capacity_units: 0,
    contention_retries: 0,
    ...more,
  },
];

describe('a request that is answered', () => {
  test('gets the data in the success envelope', async () => {
    const { log, ...reply } = await call({ body: { note: 'x', amount: '1.50' } });
    expect(reply).toEqual(success({ note: 'x', amount: '1.50' }));
    expect(log).toEqual([requestLine(200)]);
  });

  test('gets the headers of the endpoint beside those of every reply', async () => {
    const handle = async (): Promise<ApiReply<{ note: string }>> => ({
      data: { note: 'x' },
      headers: { 'Idempotent-Replayed': 'true' },
    });
    const { headers } = await call({ body: { note: 'x' } }, { handle });
    expect(headers).toEqual({ ...ownHeaders, 'Idempotent-Replayed': 'true' });
  });

  test('gets only what the endpoint says it returns', async () => {
    const handle = async () => ({ data: { note: 'x', passwordHash: 'secret' } });
    const { log, ...reply } = await call({ body: { note: 'x' } }, { handle });
    expect(reply).toEqual(success({ note: 'x' }));
  });

  test('reaches the endpoint with caller, id, headers in any case and path parameters', async () => {
    let seen: unknown;
    await call(
      {
        body: { note: 'x' },
        headers: { 'IDEMPOTENCY-Key': 'k-1' },
        pathParameters: { platform: 'xero' },
      },
      {
        handle: async ({ header, pathParameter, ...request }) => {
          seen = {
            ...request,
            key: header('idempotency-key'),
            platform: pathParameter('platform'),
          };
          return { data: request.input };
        },
      },
    );
    expect(seen).toEqual({
      caller: { applicationId: 'app1', keyId: 'app1-key' },
      input: { note: 'x' },
      requestId,
      key: 'k-1',
      platform: 'xero',
    });
  });

  test('is logged with what it cost at the table', async () => {
    const { log } = await call(
      { body: { note: 'x' } },
      {
        handle: async ({ input }) => {
          await record('GetItem', async () => ({ ConsumedCapacity: { CapacityUnits: 1.5 } }));
          await record('Query', async () => ({ ConsumedCapacity: [{ CapacityUnits: 2 }] }));
          recordContentionRetry();
          return { data: input };
        },
      },
    );
    expect(log).toEqual([
      requestLine(200, { table_calls: 2, capacity_units: 3.5, contention_retries: 1 }),
    ]);
  });

  test.each([
    ['with a charset', 'application/json; charset=utf-8'],
    ['in capitals', 'Application/JSON'],
  ])('may have its content type %s', async (_title, contentType) => {
    const { status } = await call({
      body: { note: 'x' },
      headers: { 'Content-Type': contentType },
    });
    expect(status).toBe(200);
  });

  test('may have the name of its content type in any case, as HTTP allows', async () => {
    const event = apiEvent({ body: { note: 'x' } });
    const handler = createApiHandler(
      { from: 'body', request: Request, data: Data, handle: echo },
      { log: keepLog() },
    );
    const headers = { 'CONTENT-TYPE': 'application/json' };
    const result = await handler({ ...event, headers }, lambdaContext());
    expect(readResult(result)).toEqual(success({ note: 'x' }));
  });

  test('may have its body in base64', async () => {
    const rawBody = Buffer.from('{"note":"é😀"}').toString('base64');
    const { log, ...reply } = await call({ rawBody, isBase64Encoded: true });
    expect(reply).toEqual(success({ note: 'é😀' }));
  });

  /** A body of exactly this many bytes, in characters of two bytes. */
  const bodyOf = (bytes: number) => {
    const frame = '{"note":""}'.length;
    return `{"note":"${'é'.repeat((bytes - frame - 1) / 2)}x"}`;
  };

  test('may have a body of 256 KB, and not a byte more', async () => {
    const largest = bodyOf(256 * 1024);
    expect(Buffer.byteLength(largest)).toBe(262_144);
    expect((await call({ rawBody: largest })).status).toBe(200);
    const base64 = Buffer.from(largest).toString('base64');
    expect((await call({ rawBody: base64, isBase64Encoded: true })).status).toBe(200);
    const { log, ...reply } = await call({ rawBody: `${largest} ` });
    expect(reply).toEqual(failure('body_too_large', 413));
    expect(log).toEqual([requestLine(413)]);
  });
});

describe('a body that cannot be read', () => {
  test.each([
    ['is cut off', '{"note":"secret'],
    ['has a comma too many', '{"note":"secret",}'],
    ['has a text behind it', '{"note":"secret"} secret'],
    ['is a form', 'note=secret'],
    ['has a byte-order mark', '\ufeff{"note":"secret"}'],
    ['is nested beyond measure', `{"note":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['is empty', ''],
    ['is blank', ' \n'],
  ])('is malformed where it %s', async (_title, rawBody) => {
    const { log, ...reply } = await call({ rawBody });
    expect(reply).toEqual(failure('malformed_json', 400));
    expect(log).toEqual([requestLine(400)]);
  });

  test('is malformed where there is none', async () => {
    const { log, ...reply } = await call({});
    expect(reply).toEqual(failure('malformed_json', 400));
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'is not looked at under the content type "%s"',
    async (contentType) => {
      const headers = { 'Content-Type': contentType };
      const { log, ...reply } = await call({ rawBody: '{"note":"x"}', headers });
      expect(reply).toEqual(failure('content_type_not_supported', 415));
      expect(log).toEqual([requestLine(415)]);
    },
  );
});

describe('a body that breaks rules', () => {
  const refused = (...details: Parameters<typeof problem>[]) =>
    failure('validation_failed', 422, { details: details.map((it) => problem(...it)) });

  test.each<[string, string, ReturnType<typeof refused>]>([
    [
      'every problem is named at once',
      '{"amount":"-1","secret":1}',
      refused(
        ['required', '/note'],
        ['amount_not_valid', '/amount'],
        ['unknown_field', '/secret', { field: 'secret' }],
      ),
    ],
    ['a list is no request', '[]', refused(['wrong_type', '', { expected: 'object' }])],
    ['a null is no request', 'null', refused(['wrong_type', '', { expected: 'object' }])],
    [
      'a field that would reach into the prototype is named',
      '{"note":"x","__proto__":{"amount":"1.00"}}',
      refused(['unknown_field', '', { field: '__proto__' }]),
    ],
    [
      'a field that would reach into the constructor is named',
      '{"note":"x","constructor":{"prototype":{}}}',
      refused(['unknown_field', '', { field: 'constructor' }]),
    ],
    [
      'a number of more digits than a float holds is not exact',
      '{"note":"x","amount":0.1000000000000000055}',
      refused(['number_not_exact', '/amount']),
    ],
    [
      'an integer beyond those of a float is not exact',
      '{"note":"x","amount":9007199254740993}',
      refused(['number_not_exact', '/amount']),
    ],
    [
      'a number too large for a float is not exact',
      '{"note":"x","amount":1e400}',
      refused(['number_not_exact', '/amount']),
    ],
    [
      'a number too small for a float is not exact',
      '{"note":"x","amount":1e-400}',
      refused(['number_not_exact', '/amount']),
    ],
    [
      'a number that is not exact is not exact as a whole body either',
      '1e400',
      refused(['number_not_exact', '']),
    ],
  ])('%s', async (_title, rawBody, expected) => {
    const { log, ...reply } = await call({ rawBody });
    expect(reply).toEqual(expected);
    expect(log).toEqual([requestLine(422)]);
  });

  test.each([
    ['as many digits as a float holds', '123456789012.25', 123_456_789_012.25],
    ['zeros that add nothing', '1.50000000000000000000', 1.5],
    ['an exponent', '15e-1', 1.5],
    ['seventeen digits that a float happens to hold', '100000000000000.50', 100_000_000_000_000.5],
  ])('a number of %s is exact', async (_title, written, value) => {
    const { body } = await call({ rawBody: `{"note":"x","amount":${written}}` });
    expect(body.data).toEqual({ note: 'x', amount: value });
  });

  test('digits in a text are not taken for a number', async () => {
    const note = '0.1000000000000000055 1e400';
    expect((await call({ body: { note, amount: 1 } })).body.data).toEqual({ note, amount: 1 });
  });

  test('at most a hundred problems are listed', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `field${index}`);
    const { body } = await call({
      body: { note: 'x', ...Object.fromEntries(names.map((name) => [name, 1])) },
    });
    expect(body.error.details.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      names.slice(0, 100).map((name) => `/${name}`),
    );
  });

  test('problems that only the endpoint can find follow those of the schema', async () => {
    const seen: unknown[] = [];
    const { log, ...reply } = await call(
      { body: { note: 7 } },
      {
        furtherProblems: async ({ input, caller }, found) => {
          seen.push(
            input,
            caller.applicationId,
            found.map(({ pointer }) => pointer),
          );
          return [problem('account_not_found', '/account')];
        },
      },
    );
    expect(seen).toEqual([{ note: 7 }, 'app1', ['/note']]);
    expect(reply).toEqual(
      refused(['wrong_type', '/note', { expected: 'string' }], ['account_not_found', '/account']),
    );
  });

  test('a valid body is not looked at for further problems', async () => {
    const furtherProblems = () => Promise.reject(new Error('not to be asked'));
    expect((await call({ body: { note: 'x' } }, { furtherProblems })).status).toBe(200);
  });
});

describe('query parameters', () => {
  const query = { from: 'query' } as const;

  test('are the input of an endpoint that takes them', async () => {
    const { log, ...reply } = await call({ method: 'GET', query: { note: 'x' } }, query);
    expect(reply).toEqual(success({ note: 'x' }));
    expect(log).toEqual([requestLine(200, { route: 'GET /external/v1/test' })]);
  });

  test('need no content type, and a body beside them is not looked at', async () => {
    const event = { query: { note: 'x' }, rawBody: '{', headers: { 'Content-Type': 'text/plain' } };
    expect((await call(event, query)).body.data).toEqual({ note: 'x' });
  });

  test('are refused where one is given twice, even with the same value', async () => {
    const twice = { note: ['x', 'x'], amount: '1.00', 'a/b': ['1', '2'] };
    const { log, ...reply } = await call({ query: twice }, query);
    expect(reply).toEqual(
      failure('validation_failed', 422, {
        details: [problem('repeated_parameter', '/note'), problem('repeated_parameter', '/a~1b')],
      }),
    );
  });

  test('are named where they are missing or unknown', async () => {
    const { body } = await call({ query: { secret: 'x' } }, query);
    expect(body.error.details).toEqual([
      problem('required', '/note'),
      problem('unknown_field', '/secret', { field: 'secret' }),
    ]);
  });

  test('may all be missing from the event, as they are where there are none', async () => {
    const event = { ...apiEvent({}), multiValueQueryStringParameters: null as never };
    const handler = createApiHandler(
      { from: 'query', request: Request, data: Data, handle: echo },
      { log: keepLog() },
    );
    const { body } = readResult(await handler(event, lambdaContext()));
    expect(body.error.details).toEqual([problem('required', '/note')]);
  });
});

describe('an endpoint that does not answer', () => {
  const rejecting = (error: unknown) => ({ handle: () => Promise.reject(error) });

  test('because it refuses, is answered with the refusal', async () => {
    const { log, ...reply } = await call(
      { body: { note: 'x' } },
      rejecting(new Refusal('user_not_found')),
    );
    expect(reply).toEqual(failure('user_not_found', 404));
    expect(log).toEqual([requestLine(404)]);
  });

  test('because it refuses for a while, says for how long, and logs why', async () => {
    const error = new Refusal('contention', { retryAfterSeconds: 2, cause: new Error('busy') });
    const { log, ...reply } = await call({ body: { note: 'x' } }, rejecting(error));
    expect(reply).toEqual(failure('contention', 503, { headers: { 'Retry-After': '2' } }));
    expect(log).toEqual([['contention', { request_id: requestId, error }], requestLine(503)]);
  });

  test.each([
    ['an error', new Error('secret of the database')],
    [
      'an error with a status of its own',
      Object.assign(new Error('Forbidden key'), { statusCode: 422 }),
    ],
    ['something that is no error', 'secret'],
  ])('because of %s, says nothing of the cause, which the log has', async (_title, error) => {
    const { log, ...reply } = await call({ body: { note: 'x' } }, rejecting(error));
    expect(reply).toEqual(failure('internal_error', 500));
    expect(log).toEqual([['internal_error', { request_id: requestId, error }], requestLine(500)]);
  });

  test('because its data breaks its own schema, says nothing, and the log no value', async () => {
    const handle = async () => ({ data: { note: { secret: 'secret' } } as never });
    const { log, ...reply } = await call({ body: { note: 'x' } }, { handle });
    expect(reply).toEqual(failure('internal_error', 500));
    expect(log).toEqual([
      ['internal_error', { request_id: requestId, error: expect.any(z.core.$ZodError) }],
      requestLine(500),
    ]);
    expect(inspect(log, { depth: Infinity })).not.toContain('secret');
  });

  test('because its time runs out, is answered half a second before the end', async () => {
    const startedAt = performance.now();
    const { log, ...reply } = await call(
      { body: { note: 'x' } },
      { handle: () => new Promise(() => {}), remainingMilliseconds: 600 },
    );
    expect(performance.now() - startedAt).toBeLessThan(450);
    expect(reply).toEqual(failure('request_timed_out', 504));
    expect(log).toEqual([
      ['request_timed_out', { request_id: requestId, error: expect.any(Refusal) }],
      requestLine(504),
    ]);
  });
});

describe('the chain', () => {
  /** Every rule that can be broken before the endpoint is reached, from the first to the last. */
  const unauthorized = { withoutCaller: true };
  const tooLarge = { rawBody: `{"note":"${'x'.repeat(256 * 1024)}` };
  const wrongType = { headers: { 'Content-Type': 'text/plain' } };
  const malformed = { rawBody: '{"note":1e400' };

  test.each<[string, ApiEventOptions, RefusalCode]>([
    ['who calls', { ...unauthorized, ...tooLarge, ...wrongType }, 'api_key_not_accepted'],
    ['how large the body is', { ...tooLarge, ...wrongType }, 'body_too_large'],
    ['its content type', { ...wrongType, ...malformed }, 'content_type_not_supported'],
    ['whether it is JSON', malformed, 'malformed_json'],
    ['whether its numbers are exact', { rawBody: '{"note":1e400}' }, 'validation_failed'],
  ])('then asks %s', async (_title, event, code) => {
    const { body } = await call(event, { handle: () => Promise.reject(new Error('reached')) });
    expect(body.error.code).toBe(code);
  });

  // onError hooks run in reverse order of registration: the first one has the last word.
  test('has one place that turns errors into replies, registered first', () => {
    const hooks = (from: 'body' | 'query') =>
      middlewaresOf({ from }, keepLog()).map((middleware) => Object.keys(middleware));
    expect(hooks('body')).toEqual([['onError'], ['before'], ['before'], ['before'], ['before']]);
    expect(hooks('query')).toEqual([['onError'], ['before']]);
  });

  test.each([
    ['none', null],
    ['none of an application', { principalId: 'app1', keyId: 'k' }],
    ['none of a key', { principalId: 'app1', applicationId: 'app1' }],
    ['one that is no text', { applicationId: 7, keyId: 'k' }],
  ])('refuses a request of which the authorizer said: %s', async (_title, authorizer) => {
    const log = keepLog();
    const handler = createApiHandler(
      { from: 'body', request: Request, data: Data, handle: echo },
      { log },
    );
    const event = apiEvent({ body: { note: 'x' } });
    const result = await handler(
      { ...event, requestContext: { ...event.requestContext, authorizer: authorizer as never } },
      lambdaContext(),
    );
    expect(readResult(result)).toEqual(failure('api_key_not_accepted', 401));
  });

  test('forgets one request before the next', async () => {
    const log = keepLog();
    const handler = createApiHandler(
      { from: 'body', request: Request, data: Data, handle: echo },
      { log },
    );
    const send = async (options: ApiEventOptions) =>
      readResult(await handler(apiEvent(options), lambdaContext())).status;
    expect(await send({ rawBody: '{"note":1e400}' })).toBe(422);
    expect(await send({ body: { note: 'x' } })).toBe(200);
    expect(await send({ rawBody: '{' })).toBe(400);
    expect(await send({ body: { note: 'x' } })).toBe(200);
  });
});

test('no log line has anything of a body, a query or a key', async () => {
  const secret = 'correct horse';
  const events: [ApiEventOptions, Partial<TestEndpoint>?][] = [
    [{ body: { note: secret } }],
    [{ body: { note: secret, amount: secret, [secret]: 1 } }],
    [{ rawBody: `{"note":"${secret}"` }],
    [{ rawBody: `{"note":"${secret}","__proto__":{}}` }],
    [{ body: { note: secret }, headers: { 'Content-Type': secret } }],
    [{ body: { note: secret }, headers: { 'X-API-Key': secret } }],
    [{ query: { note: secret } }, { from: 'query' }],
    [{ query: { note: [secret, secret] } }, { from: 'query' }],
    [{ body: { note: secret } }, { handle: () => Promise.reject(new Error('broken')) }],
  ];
  for (const [event, endpoint] of events) {
    const { log } = await call(event, endpoint);
    expect(log.filter(([message]) => message === 'request')).toHaveLength(1);
    expect(inspect(log, { depth: Infinity })).not.toContain(secret);
  }
});
