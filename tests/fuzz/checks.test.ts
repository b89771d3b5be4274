import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openApiFile } from '#infra/docs/build.ts';
import { checksOf, onlyCheck } from './configuration.ts';
import { documentMutations } from './document-mutations.ts';
import { countReplies, neverSuccessful, operationsOf, wronglyTooLong } from './replies.ts';

const archiveOf = (...replies: [string, string, number][]) => ({
  log: {
    entries: replies.map(([method, path, status]) => ({
      request: { method, url: `http://localhost:1${path}`, headers: [] },
      response: { status },
    })),
  },
});

test('an operation at which nothing but refusals was seen is found', () => {
  const paths = { '/users/ensure/': { post: {} }, '/oauth/{platform}/initiate/': { get: {} } };
  const found = (...replies: [string, string, number][]) =>
    neverSuccessful(countReplies(archiveOf(...replies), operationsOf(paths)));
  const initiated: [string, string, number] = ['GET', '/oauth/x/initiate/', 200];
  expect(found(initiated, ['POST', '/users/ensure/?x=1', 200])).toEqual([]);
  expect(found(initiated, ['POST', '/users/ensure/', 422])).toEqual(['POST /users/ensure/']);
  expect(found(['POST', '/users/ensure/', 200])).toEqual(['GET /oauth/{platform}/initiate/']);
});

test('what was refused as too long, and is not, is found', () => {
  const path = (length: number) => `/users/ensure/?${'x'.repeat(length)}`;
  expect(wronglyTooLong(archiveOf(['GET', path(17_000), 431], ['GET', path(1), 200]))).toEqual([]);
  expect(wronglyTooLong(archiveOf(['GET', path(1), 431]))).toEqual([
    'GET http://localhost:1/users/ensure/?x was refused as too long',
  ]);
});

test('every check that is on has an untrue word to find, which changes the document', async () => {
  const isOn = ([, check]: [string, unknown]) => typeof check !== 'string';
  const on = Object.entries(checksOf['with a key']).filter(isOn);
  const sorted = on.map(([name]) => name).sort();
  expect(documentMutations.map(({ check }) => check).sort()).toEqual(sorted);
  const text = await readFile(openApiFile, 'utf8');
  for (const { check, apply, expectedStatuses } of documentMutations) {
    const document = JSON.parse(text);
    apply(document);
    const isChanged = JSON.stringify(document) !== JSON.stringify(JSON.parse(text));
    expect([check, isChanged || expectedStatuses !== undefined]).toEqual([check, true]);
    const tried = Object.entries(onlyCheck(check)).filter(isOn);
    expect(tried.map(([name]) => name)).toEqual([check]);
  }
});
