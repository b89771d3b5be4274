import { describe, expect, test } from 'vitest';
import { problem } from '#shared/errors.ts';
import { createApiHandler } from '#shared/triggers/api.ts';
import { apiEvent, lambdaContext, readResult } from '../../support/events/lambda-events.ts';
import {
  call,
  Data,
  echo,
  failure,
  Request,
  requestLine,
  success,
} from '../../support/harnesses/echo-endpoint.ts';
import { keepLog } from '../../support/recorders/log.ts';
import { keepMetrics } from '../../support/recorders/metrics.ts';

describe('the size of a body', () => {
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
    expect(log).toEqual([requestLine(413, 'body_too_large')]);
  });
});

describe('a body that cannot be read', () => {
  test.each([
    ['is cut off', '{"note":"secret'],
    ['has a comma too many', '{"note":"secret",}'],
    ['has a text behind it', '{"note":"secret"} secret'],
    ['is a form', 'note=secret'],
    ['has a byte-order mark', '\ufeff{"note":"secret"}'],
    ['is empty', ''],
    ['is blank', ' \n'],
  ])('is malformed where it %s', async (_title, rawBody) => {
    const { log, ...reply } = await call({ rawBody });
    expect(reply).toEqual(failure('malformed_json', 400));
    expect(log).toEqual([requestLine(400, 'malformed_json')]);
  });

  test('is malformed where there is none', async () => {
    const { log, ...reply } = await call({});
    expect(reply).toEqual(failure('malformed_json', 400));
  });

  test.each(['iso-8859-1', '"latin1"', 'utf-16'])('is not looked at in %s', async (charset) => {
    const headers = { 'Content-Type': `application/json; charset=${charset}` };
    const { log, ...reply } = await call({ rawBody: '{"note":"x"}', headers });
    expect(reply).toEqual(failure('content_type_not_supported', 415));
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'is not looked at under the content type "%s"',
    async (contentType) => {
      const headers = { 'Content-Type': contentType };
      const { log, ...reply } = await call({ rawBody: '{"note":"x"}', headers });
      expect(reply).toEqual(failure('content_type_not_supported', 415));
      expect(log).toEqual([requestLine(415, 'content_type_not_supported')]);
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
      refused(['unknown_field', '/__proto__', { field: '__proto__' }]),
    ],
    [
      'a field that would reach into the constructor is named',
      '{"note":"x","constructor":{"prototype":{}}}',
      refused(['unknown_field', '/constructor', { field: 'constructor' }]),
    ],
    [
      'a nesting beyond measure is of the wrong type, whatever numbers it holds',
      `{"note":${'['.repeat(50_000)}1e400${']'.repeat(50_000)}}`,
      refused(['wrong_type', '/note', { expected: 'string' }]),
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
    expect(log).toEqual([requestLine(422, 'validation_failed')]);
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
        storeProblems: async ({ input, caller }, found) => {
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
    const storeProblems = () => Promise.reject(new Error('not to be asked'));
    expect((await call({ body: { note: 'x' } }, { storeProblems })).status).toBe(200);
  });
});

describe('query parameters', () => {
  const query = { from: 'query' } as const;

  test('are the input of an endpoint that takes them', async () => {
    const { log, ...reply } = await call({ method: 'GET', query: { note: 'x' } }, query);
    expect(reply).toEqual(success({ note: 'x' }));
    expect(log).toEqual([requestLine(200, 'success', { route: 'GET /external/v1/test' })]);
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
        details: [
          problem('repeated_parameter', '/note'),
          problem('repeated_parameter', '/a~1b'),
          problem('unknown_field', '/a~1b', { field: 'a/b' }),
        ],
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
      { log: keepLog(), metrics: keepMetrics() },
    );
    const { body } = readResult(await handler(event, lambdaContext()));
    expect(body.error.details).toEqual([problem('required', '/note')]);
  });
});
