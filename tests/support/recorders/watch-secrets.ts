// Set up in every test file: whatever the file's tests make the service log, print or answer is
// searched for secrets when they have run.

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
    secrets.tell('password', password);
  }
});

// Hooks that end a file run in the reverse order, so that this one comes last.
afterAll(() => {
  const leaks = secrets.leaks();
  // The next file may run in this process.
  for (const end of endings) end();
  secrets.clear();
  expect(leaks, 'Secrets stand where people or callers can read them.').toEqual([]);
});
