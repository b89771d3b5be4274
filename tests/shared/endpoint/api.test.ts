import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { type ApiReply, middlewaresOf } from '#shared/endpoint/api.ts';
import { ApiError, type ApiErrorCode } from '#shared/errors.ts';
import { meterCall } from '#shared/table/metering.ts';
import { retryOnContention } from '#shared/table/retry.ts';
import { type ApiEventOptions, apiEvent, callerOf } from '../../support/events/lambda-events.ts';
import {
  call,
  type EchoEndpoint,
  failure,
  openEcho,
  requestLine,
} from '../../support/harnesses/echo-endpoint.ts';
import { jsonHeaders, success } from '../../support/readers/replies.ts';
import { endedWith } from '../../support/recorders/metrics.ts';

const good = { body: { note: 'x' } };
const reader = { access: 'read_only' } as const;

describe('a request that is answered', () => {
  test('has the data in the success envelope', async () => {
    const { log, ...reply } = await call({ body: { note: 'x', amount: '1.50' } });
    expect(reply).toEqual(success({ note: 'x', amount: '1.50' }));
    expect(log).toEqual([requestLine(200, 'success')]);
  });

  test('has the headers of the endpoint and of every reply', async () => {
    const handle = async (): Promise<ApiReply<{ note: string }>> => ({
      data: { note: 'x' },
      headers: { 'Idempotent-Replayed': 'true' },
    });
    const { headers } = await call(good, { handle });
    expect(headers).toEqual({ ...jsonHeaders, 'Idempotent-Replayed': 'true' });
  });

  test('contains only the fields of the schema', async () => {
    const handle = async () => ({ data: { note: 'x', passwordHash: 'secret' } });
    const { log, ...reply } = await call(good, { handle });
    expect(reply).toEqual(success({ note: 'x' }));
  });

  test('reaches the endpoint with caller, headers and path parameters', async () => {
    let seen: unknown;
    const headers = { 'IDEMPOTENCY-Key': 'k-1' };
    await call(
      { ...good, headers, pathParameters: { platform: 'xero' } },
      {
        handle: async ({ header, pathParameter, ...request }) => {
          const [key, platform] = [header('idempotency-key'), pathParameter('platform')];
          seen = { ...request, key, platform };
          return { data: request.input };
        },
      },
    );
    expect(seen).toEqual({
      caller: callerOf('app1'),
      input: { note: 'x' },
      key: 'k-1',
      platform: 'xero',
    });
  });

  test('is logged with its costs at the table', async () => {
    const costing = (ConsumedCapacity: object) =>
      meterCall({ operation: 'Query', input: {} }, async () => ({ ConsumedCapacity }));
    const handle: EchoEndpoint['handle'] = async ({ input }) => {
      await costing({ CapacityUnits: 1.5 });
      await costing([{ CapacityUnits: 2 }]);
      return { data: input };
    };
    const { log } = await call(good, { handle });
    expect(log).toEqual([
      requestLine(200, 'success', { table_calls: 2, capacity_units: 3.5, write_units: 0 }),
    ]);
  });

  test.each([
    ['with a charset', { 'Content-Type': 'application/json; charset=utf-8' }],
    ['in capitals', { 'Content-Type': 'Application/JSON' }],
    ['under a name in capitals, as HTTP allows', { 'CONTENT-TYPE': 'application/json' }],
  ])('may have its content type %s', async (_title, headers) => {
    const { status } = await openEcho().send({ ...apiEvent(good), headers } as never);
    expect(status).toBe(200);
  });
});

test('a request without headers is answered, logged and counted', async () => {
  const { send, log, metrics } = openEcho();
  const event = { ...apiEvent(good), headers: null, multiValueHeaders: null };
  const reply = await send(event as never);
  const code = 'content_type_not_supported';
  expect(reply).toEqual(failure(code, 415));
  expect(log).toEqual([requestLine(415, code)]);
  expect(metrics).toEqual([endedWith({ code, status: 415 })]);
});

describe('an endpoint that fails', () => {
  const rejecting = (error: unknown) => ({ handle: () => Promise.reject(error) });
  const logOf = (code: ApiErrorCode, status: number, error: unknown) => {
    const [message, fields] = requestLine(status, code);
    return [[`${message} failed`, { ...fields, error }]];
  };

  test('with a refusal is answered with it', async () => {
    const { log, ...reply } = await call(good, rejecting(new ApiError('user_not_found')));
    expect(reply).toEqual(failure('user_not_found', 404));
    expect(log).toEqual([requestLine(404, 'user_not_found')]);
  });

  test('temporarily has Retry-After and logs the cause', async () => {
    const error = new ApiError('contention', { retryAfterSeconds: 2, cause: new Error('busy') });
    const { log, ...reply } = await call(good, rejecting(error));
    expect(reply).toEqual(failure('contention', 503, { headers: { 'Retry-After': '2' } }));
    expect(log).toEqual(logOf('contention', 503, error));
  });

  test.each([
    ['an error', new Error('secret of the database')],
    ['an error with a status', Object.assign(new Error('Forbidden key'), { statusCode: 422 })],
    ['something that is no error', 'secret'],
  ])('because of %s hides the cause, except in the log', async (_title, error) => {
    const { log, ...reply } = await call(good, rejecting(error));
    expect(reply).toEqual(failure('internal_error', 500));
    expect(log).toEqual(logOf('internal_error', 500, error));
  });

  test('because of its own schema hides the values, even in the log', async () => {
    const handle = async () => ({ data: { note: { secret: 'secret' } } as never });
    const { log, ...reply } = await call(good, { handle });
    expect(reply).toEqual(failure('internal_error', 500));
    expect(log).toEqual(logOf('internal_error', 500, expect.any(z.core.$ZodError)));
    expect(inspect(log, { depth: Infinity })).not.toContain('secret');
  });

  test('because of a reply that is too large is refused', async () => {
    const replyOf = (length: number) =>
      call(good, { handle: async () => ({ data: { note: '"'.repeat(length) } }) });
    // A quote takes two bytes in the body, and four in the function's reply.
    const most = Math.floor((6 * 1024 * 1024) / 4) - 1_000;
    expect((await replyOf(most)).status).toBe(200);
    const { log, ...reply } = await replyOf(most + 1_000);
    expect(reply).toEqual(failure('reply_too_large', 422));
    expect(log).toEqual([requestLine(422, 'reply_too_large')]);
  });

  test('because of a timeout is answered half a second before the end', async () => {
    const startedAt = performance.now();
    const { log, ...reply } = await call(good, {
      handle: () => new Promise(() => {}),
      remainingMilliseconds: 600,
    });
    expect(performance.now() - startedAt).toBeLessThan(600);
    expect(reply).toEqual(failure('request_timed_out', 504));
    expect(log).toEqual(logOf('request_timed_out', 504, expect.any(ApiError)));
  });
});

test.each([
  ['a second, as its caller waits', false, 1_000],
  ['fifteen seconds if it cannot be repeated', true, 15_000],
])('a request waits for contended writes for %s', async (_title, isPatient, milliseconds) => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers().restoreAllMocks());
  const startedAt = performance.now();
  const handle = () =>
    retryOnContention<ApiReply<{ note: string }>>(async () => {
      vi.advanceTimersByTime(200);
      return undefined;
    });
  const { log, ...reply } = await call(good, { handle, isPatient });
  expect(reply).toEqual(failure('contention', 503, { headers: { 'Retry-After': '1' } }));
  // The rest is too short for another attempt.
  expect(performance.now() - startedAt).toBe(milliseconds - 200);
});

describe('the chain', () => {
  /** Every rule that can be broken before the endpoint is reached, from the first to the last. */
  const unauthorized = { withoutCaller: true };
  const tooLarge = { rawBody: `{"note":"${'x'.repeat(256 * 1024)}` };
  const wrongType = { headers: { 'Content-Type': 'text/plain' } };
  const malformed = { rawBody: '{"note":1e400' };

  test.each<[string, ApiEventOptions, ApiErrorCode]>([
    ['who calls', { ...unauthorized, ...tooLarge, ...wrongType }, 'api_key_not_accepted'],
    ['the access of the API key', { caller: reader, ...tooLarge }, 'api_key_read_only'],
    ['how large the body is', { ...tooLarge, ...wrongType }, 'body_too_large'],
    ['its content type', { ...wrongType, ...malformed }, 'content_type_not_supported'],
    ['whether it is JSON', malformed, 'malformed_json'],
    ['whether its numbers are exact', { rawBody: '{"note":1e400}' }, 'validation_failed'],
  ])('then checks %s', async (_title, event, code) => {
    const { body } = await call(event, { handle: () => Promise.reject(new Error('reached')) });
    expect(body.error.code).toBe(code);
  });

  // onError hooks run in reverse order of registration: the first one has the last word.
  test('first registers the middleware that turns errors into replies', () => {
    const hooks = (from: 'body' | 'query') =>
      middlewaresOf({ from }).map((middleware) => Object.keys(middleware));
    expect(hooks('body')).toEqual([['onError'], ['before'], ['before'], ['before'], ['before']]);
    expect(hooks('query')).toEqual([['onError'], ['before']]);
  });

  test.each([
    ['none', null],
    ['none of an application', { ...callerOf('app1'), applicationId: undefined }],
    ['none of a key', { ...callerOf('app1'), keyId: undefined }],
    ['no access', { ...callerOf('app1'), access: undefined }],
    ['one that is no text', { ...callerOf('app1'), applicationId: 7 }],
  ])('refuses a request with this authorizer context: %s', async (_title, authorizer) => {
    const { requestContext, ...event } = apiEvent(good);
    const said = { ...requestContext, authorizer: authorizer as never };
    const reply = await openEcho().send({ ...event, requestContext: said });
    expect(reply).toEqual(failure('api_key_not_accepted', 401));
  });

  test('lets a read-only key reach a read-only endpoint', async () => {
    const { log: _log, ...reply } = await call({ ...good, caller: reader }, { isReadOnly: true });
    expect(reply).toEqual(success({ note: 'x' }));
  });

  test('keeps no state between requests', async () => {
    const { send } = openEcho();
    const statuses = [];
    for (const options of [{ rawBody: '{"note":1e400}' }, good, { rawBody: '{' }, good]) {
      statuses.push((await send(apiEvent(options))).status);
    }
    expect(statuses).toEqual([422, 200, 400, 200]);
  });
});

test('no log line contains a body, a query or a key', async () => {
  const secret = 'correct horse';
  const events: [ApiEventOptions, Partial<EchoEndpoint>?][] = [
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
    expect(log).toEqual([[expect.stringMatching(/^request( failed)?$/), expect.anything()]]);
    expect(inspect(log, { depth: Infinity })).not.toContain(secret);
  }
});
