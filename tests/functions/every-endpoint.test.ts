// The rules that the requests of all endpoints share.

import { describe, expect, test } from 'vitest';
import { type Endpoint, openTenantCalls } from '../support/harnesses/calls.ts';
import { problemsOf } from '../support/readers/replies.ts';

const { ledger, send } = await openTenantCalls();

const withBody: readonly Endpoint[] = [
  'cancelEntry',
  'confirm',
  'createAccount',
  'createEntries',
  'createEntry',
  'createTenant',
  'disconnect',
  'ensureUser',
  'getProfile',
  'link',
  'requestImport',
  'reverseEntry',
  'unlink',
  'updateAccount',
  'updateTenant',
];
const withQuery: readonly Endpoint[] = [
  'getAccountLedger',
  'getBalanceSheet',
  'getCashFlow',
  'getEntry',
  'getImport',
  'getProfitAndLoss',
  'getTrialBalance',
  'listAccounts',
  'listEntries',
];

describe.each(withBody)('%s refuses a body that is', (endpoint) => {
  test.each(['"text"', '[]', 'null', '7'])('%s', async (rawBody) => {
    const before = await ledger.scan();
    const reply = await send(endpoint, {}, { rawBody });
    expect([reply.status, problemsOf(reply)[0]]).toEqual([422, 'wrong_type ']);
    expect(await ledger.scan()).toEqual(before);
  });
});

test.each([...withBody, ...withQuery])('%s names an unknown field', async (endpoint) => {
  const reply = await send(endpoint, { colour: 'red' });
  expect(reply.status).toBe(422);
  expect(problemsOf(reply)).toContainEqual(expect.stringMatching(/^unknown_field .*\/colour/));
});
