import { expect, test } from 'vitest';
import { countReplies, neverSuccessful, operationsOf, wronglyTooLong } from './replies.ts';

const archiveOf = (...replies: [string, string, number][]) => ({
  log: {
    entries: replies.map(([method, path, status]) => ({
      request: { method, url: `http://localhost:1${path}`, headers: [] },
      response: { status },
    })),
  },
});

test('an operation without a success is reported', () => {
  const paths = { '/users/ensure/': { post: {} }, '/oauth/{platform}/initiate/': { get: {} } };
  const found = (...replies: [string, string, number][]) =>
    neverSuccessful(countReplies(archiveOf(...replies), operationsOf(paths)));
  const initiated: [string, string, number] = ['GET', '/oauth/x/initiate/', 200];
  expect(found(initiated, ['POST', '/users/ensure/?x=1', 200])).toEqual([]);
  expect(found(initiated, ['POST', '/users/ensure/', 422])).toEqual(['POST /users/ensure/']);
  expect(found(['POST', '/users/ensure/', 200])).toEqual(['GET /oauth/{platform}/initiate/']);
});

test('a short request refused as too long is reported', () => {
  const path = (length: number) => `/users/ensure/?${'x'.repeat(length)}`;
  expect(wronglyTooLong(archiveOf(['GET', path(17_000), 431], ['GET', path(1), 200]))).toEqual([]);
  expect(wronglyTooLong(archiveOf(['GET', path(1), 431]))).toEqual([
    'GET http://localhost:1/users/ensure/?x was refused as too long',
  ]);
});
