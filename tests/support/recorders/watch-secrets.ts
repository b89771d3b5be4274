// A setup for every test file: after its tests, searches their logs, output and replies for
// secrets.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect } from 'vitest';
import { secrets } from './secrets-collector.ts';
import { watchReplies, watchStream } from './secrets-watch.ts';

const endings = [
  watchReplies(secrets),
  watchStream(secrets, 'stdout'),
  watchStream(secrets, 'stderr'),
];

/** The passwords that a test writes down reach handlers without any HTTP. */
const passwordInSource = /\bpassword: (['"`])([^'"`\n]+)\1/g;

beforeAll(() => {
  const { testPath = '' } = expect.getState();
  for (const [, , password] of readFileSync(testPath, 'utf8').matchAll(passwordInSource)) {
    secrets.register('password', password);
  }
});

// Hooks that end a file run in reverse order, so this one is last.
afterAll(() => {
  const leaks = secrets.leaks();
  // The next file may run in this process.
  for (const end of endings) end();
  secrets.clear();
  expect(leaks, 'Secrets stand where people or callers can read them.').toEqual([]);
});
