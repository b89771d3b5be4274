import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openApiFile } from '#infra/openapi/build.ts';
import { checksOf, configurationText, onlyCheck } from './configuration.ts';
import { lies } from './lies.ts';
import { prepareDocument } from './prepared-document.ts';
import {
  countReplies,
  describeReplies,
  neverSuccessful,
  operationsOf,
  wronglyTooLong,
} from './replies.ts';

const operations = operationsOf({
  '/users/ensure/': { post: {} },
  '/oauth/{platform}/initiate/': { get: {} },
});

const archiveOf = (...replies: [string, string, number][]) => ({
  log: {
    entries: replies.map(([method, path, status]) => ({
      request: { method, url: `http://localhost:1${path}`, headers: [] },
      response: { status },
    })),
  },
});

describe('the replies to the fuzzer', () => {
  test('are counted by operation and status', () => {
    const archive = archiveOf(
      ['POST', '/users/ensure/', 200],
      ['POST', '/users/ensure/?x=1', 422],
      ['POST', '/users/ensure/', 200],
      ['GET', '/oauth/platform_a/initiate/', 404],
      ['GET', '/oauth/a/b/initiate/', 404],
      ['DELETE', '/users/ensure/', 404],
    );
    expect(describeReplies(countReplies(archive, operations)).split('\n')).toEqual([
      '  POST /users/ensure/: 200 x 2, 422 x 1',
      '  GET /oauth/{platform}/initiate/: 404 x 1',
      '  elsewhere: 404 x 2',
    ]);
  });

  test('show an operation at which nothing but refusals was seen', () => {
    const archive = archiveOf(['POST', '/users/ensure/', 422]);
    expect(neverSuccessful(countReplies(archive, operations))).toEqual([
      'POST /users/ensure/',
      'GET /oauth/{platform}/initiate/',
    ]);
    const better = archiveOf(['POST', '/users/ensure/', 200], ['GET', '/oauth/x/initiate/', 200]);
    expect(neverSuccessful(countReplies(better, operations))).toEqual([]);
  });

  test('show what was refused as too long and is not', () => {
    const path = (length: number) => `/users/ensure/?${'x'.repeat(length)}`;
    expect(wronglyTooLong(archiveOf(['GET', path(17_000), 431], ['GET', path(1), 200]))).toEqual(
      [],
    );
    expect(wronglyTooLong(archiveOf(['GET', path(1), 431]))).toEqual([
      'GET http://localhost:1/users/ensure/?x was refused as too long',
    ]);
  });
});

test('the examples of the document name what is there', () => {
  const body = { user_id: 1, platform: 'manual' };
  const document = {
    paths: {
      '/tenants/': {
        post: {
          parameters: [{ name: 'user_id', in: 'query', example: '1' }],
          requestBody: { content: { 'application/json': { examples: { one: { value: body } } } } },
          responses: {},
        },
      },
    },
  };
  const known = { 'query.user_id': ['7'], 'body.user_id': [7] };
  const { post } = prepareDocument(document, known).paths['/tenants/'] ?? {};
  expect(post?.parameters).toEqual([{ name: 'user_id', in: 'query', example: '7' }]);
  expect(post?.requestBody?.content['application/json']?.examples?.one?.value).toEqual({
    user_id: 7,
    platform: 'manual',
  });
});

test('the pattern of what is not blank is spelt out, and means the same', () => {
  const content = { 'application/json': { schema: { pattern: '\\S' } } };
  const document = { paths: { '/users/': { post: { requestBody: { content }, responses: {} } } } };
  const prepared = JSON.stringify(prepareDocument(document, {}));
  const [, quoted = ''] = /"pattern":("[^"]+")/.exec(prepared) ?? [];
  const spelt = new RegExp(JSON.parse(quoted), 'u');
  expect(spelt.source).toMatch(/^\^.*\$$/);
  for (const text of ['Analytical Engines', ' a ', 'a', '\n\na\n', '', ' ', '\n \t']) {
    expect([text, spelt.test(text)]).toEqual([text, /\S/u.test(text)]);
  }
});

describe('the checks of the fuzzer', () => {
  test('are on, or left out for a reason in words', () => {
    const all = Object.values(checksOf).flatMap((checks) => Object.values(checks));
    const reasons = all.flatMap((check) => ('leftOutBecause' in check ? [check] : []));
    for (const { leftOutBecause } of reasons) expect(leftOutBecause.length).toBeGreaterThan(30);
  });

  test('have a lie to find each, where they are on', () => {
    const on = Object.entries(checksOf['with a key'])
      .filter(([, check]) => !('leftOutBecause' in check))
      .map(([name]) => name);
    expect(lies.map(({ check }) => check).sort()).toEqual(on.sort());
  });

  test('are tried one at a time by the lies, which change the document', async () => {
    const text = await readFile(openApiFile, 'utf8');
    for (const { check, tell, expectedStatuses } of lies) {
      const document = JSON.parse(text);
      tell(document);
      const isChanged = JSON.stringify(document) !== JSON.stringify(JSON.parse(text));
      expect([check, isChanged || expectedStatuses !== undefined]).toEqual([check, true]);
      const isOn = Object.entries(onlyCheck(check)).filter(([, it]) => !('leftOutBecause' in it));
      expect(isOn.map(([name]) => name)).toEqual([check]);
    }
  });
});

test('the configuration is what the tool reads', () => {
  const text = configurationText({
    checks: { one: { expectedStatuses: ['200'] }, two: { leftOutBecause: 'of a reason' } },
    headers: { 'X-API-Key': 'k"\\' },
    known: { 'body.user_id': [7, '7'] },
  });
  expect(text).toBe(`[cache]
enabled = false

[headers]
"X-API-Key" = "k\\"\\\\"

[checks]
one = { enabled = true, expected-statuses = ["200"] }
two = { enabled = false }

[dictionaries]
"body.user_id" = { values = [7,"7"] }

[parameters]
"body.user_id" = { dictionary = "body.user_id", probability = 0.9 }
`);
});
