import { describe, expect, test } from 'vitest';
import { problem } from '#shared/errors.ts';
import { apiEvent } from '../../support/events/lambda-events.ts';
import { call, failure, openEcho, requestLine } from '../../support/harnesses/echo-endpoint.ts';
import { problemsOf, success } from '../../support/readers/replies.ts';

describe('the size of a body', () => {
  /** A body of exactly this many bytes, in characters of two bytes. */
  const bodyOf = (bytes: number) => {
    const frame = '{"note":""}'.length;
    return `{"note":"${'é'.repeat((bytes - frame - 1) / 2)}x"}`;
  };

  test('is at most 256 KB', async () => {
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
  test.each<[title: string, rawBody: string, line: number, column: number]>([
    ['is cut off', '{"note":"secret', 1, 9],
    ['has a comma too many', '{\n  "note": "secret",\n}', 3, 1],
    ['has a word that is none', '{"note": tru}', 1, 10],
    ['has a quote of another kind', "{'note':1}", 1, 2],
    ['has a comment', '{} // secret', 1, 4],
    ['has a text behind it', '{"note":"secret"} secret', 1, 19],
    ['is a form', 'note=secret', 1, 1],
    ['has a byte-order mark', '\ufeff{"note":"secret"}', 1, 1],
  ])('is malformed if it %s', async (_title, rawBody, line, column) => {
    const { log, ...reply } = await call({ rawBody });
    const details = [problem('json_syntax', '', { line, column })];
    expect(reply).toEqual(failure('malformed_json', 400, { details }));
    expect(log).toEqual([requestLine(400, 'malformed_json')]);
  });

  test.each([
    ['empty', { rawBody: '' }],
    ['blank', { rawBody: ' \n' }],
    ['not there', {}],
  ])('is malformed if it is %s', async (_title, body) => {
    const { log: _log, ...reply } = await call(body);
    expect(reply).toEqual(failure('malformed_json', 400, { details: [problem('required', '')] }));
  });

  test.each([
    ['as the gateway reads it', { rawBody: '{"note":"caf\ufffd"}' }],
    ['in Base64', { rawBody: Buffer.from('{"note":"café"}', 'latin1').toString('base64') }],
  ])('is malformed if it is not UTF-8, %s', async (_title, { rawBody }) => {
    const { log: _log, ...reply } = await call({ rawBody, isBase64Encoded: !/^\{/.test(rawBody) });
    expect(reply).toEqual(
      failure('malformed_json', 400, { details: [problem('encoding_not_valid', '')] }),
    );
  });

  test.each([
    'application/json; charset=iso-8859-1',
    'application/json; charset="latin1"',
    'application/json; charset=utf-16',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
  ])('is refused with the content type "%s"', async (contentType) => {
    const headers = { 'Content-Type': contentType };
    const { log, ...reply } = await call({ rawBody: '{"note":"x"}', headers });
    expect(reply).toEqual(failure('content_type_not_supported', 415));
    expect(log).toEqual([requestLine(415, 'content_type_not_supported')]);
  });
});

describe('a body that breaks rules', () => {
  const refused = (...details: Parameters<typeof problem>[]) =>
    failure('validation_failed', 422, { details: details.map((it) => problem(...it)) });

  test('gets every problem at once', async () => {
    const { log, ...reply } = await call({ rawBody: '{"amount":"-1","secret":1}' });
    expect(reply).toEqual(
      refused(
        ['required', '/note'],
        ['amount_not_valid', '/amount'],
        ['unknown_field', '/secret', { field: 'secret' }],
      ),
    );
    expect(log).toEqual([requestLine(422, 'validation_failed')]);
  });

  const nested = `{"note":${'['.repeat(50_000)}1e400${']'.repeat(50_000)}}`;
  const noted = (rest: string) => `{"note":"x",${rest}}`;

  test.each([
    ['reaches into the prototype', noted('"__proto__":{"amount":"1"}'), 'unknown_field /__proto__'],
    ['or the constructor', noted('"constructor":{"prototype":{}}'), 'unknown_field /constructor'],
    ['is nested too deeply', nested, 'wrong_type /note'],
    ['has too many digits', noted('"amount":0.1000000000000000055'), 'number_not_exact /amount'],
    ['has too large an integer', noted('"amount":9007199254740993'), 'number_not_exact /amount'],
    ['has too large a number', noted('"amount":1e400'), 'number_not_exact /amount'],
    [
      'has a number of 100,000 digits',
      noted(`"amount":${'9'.repeat(100_000)}`),
      'number_not_exact /amount',
    ],
    ['has too small a number', noted('"amount":1e-400'), 'number_not_exact /amount'],
    ['is only an inexact number', '1e400', 'number_not_exact '],
  ])('is refused if it %s', async (_title, rawBody, problems) => {
    const reply = await call({ rawBody });
    expect([reply.status, problemsOf(reply)]).toEqual([422, [problems]]);
  });

  test('gets at most 100 problems', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, field) => [field, 1]));
    expect((await call({ body: unknown })).body.error.details).toHaveLength(100);
  });

  test.each([
    ['the digits of a float', '123456789012.25', 123_456_789_012.25],
    ['zeros that add nothing', '1.50000000000000000000', 1.5],
    ['an exponent', '15e-1', 1.5],
    ['seventeen digits that a float happens to hold', '100000000000000.50', 100_000_000_000_000.5],
  ])('is valid with a number of %s', async (_title, written, value) => {
    const { body } = await call({ rawBody: noted(`"amount":${written}`) });
    expect(body.data).toEqual({ note: 'x', amount: value });
  });

  test('is valid with inexact digits in a text', async () => {
    const note = '0.1000000000000000055 1e400';
    expect((await call({ body: { note, amount: 1 } })).body.data).toEqual({ note, amount: 1 });
  });

  test('has the problems of the endpoint after the problems of the schema', async () => {
    let seen: unknown;
    const storeProblems: Parameters<typeof openEcho>[0] = {
      storeProblems: async ({ input, caller }, found) => {
        seen = { input, caller: caller.applicationId, found: found.map(({ pointer }) => pointer) };
        return [problem('account_not_found', '/account')];
      },
    };
    const reply = await call({ body: { note: 7 } }, storeProblems);
    expect(seen).toEqual({ input: { note: 7 }, caller: 'app1', found: ['/note'] });
    expect(problemsOf(reply)).toEqual(['wrong_type /note', 'account_not_found /account']);
  });

  test('is required for a read of further problems', async () => {
    const storeProblems = () => Promise.reject(new Error('not to be asked'));
    expect((await call({ body: { note: 'x' } }, { storeProblems })).status).toBe(200);
  });
});

describe('query parameters', () => {
  const query = { from: 'query' } as const;

  test('are the input of a query endpoint', async () => {
    const { log, ...reply } = await call({ method: 'GET', query: { note: 'x' } }, query);
    expect(reply).toEqual(success({ note: 'x' }));
    expect(log).toEqual([requestLine(200, 'success')]);
  });

  test('need no content type, and the body is ignored', async () => {
    const event = { query: { note: 'x' }, rawBody: '{', headers: { 'Content-Type': 'text/plain' } };
    expect((await call(event, query)).body.data).toEqual({ note: 'x' });
  });

  test.each<[string, Record<string, string | string[]>, string[]]>([
    [
      'given twice, even with the same value',
      { note: ['x', 'x'], amount: '1.00', 'a/b': ['1', '2'] },
      ['repeated_parameter /note /a~1b', 'unknown_field /a~1b'],
    ],
    ['missing or unknown', { secret: 'x' }, ['required /note', 'unknown_field /secret']],
  ])('are refused by name if they are %s', async (_title, given, problems) => {
    const reply = await call({ query: given }, query);
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
  });

  test('can be missing from the event', async () => {
    const event = { ...apiEvent({}), multiValueQueryStringParameters: null as never };
    expect(problemsOf(await openEcho(query).send(event))).toEqual(['required /note']);
  });
});
