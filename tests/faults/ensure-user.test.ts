// Everything that can befall ensure-user's calls to the table: one user, whole, whatever happens.

import { describe, test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, runCase } from '../support/harnesses/fault-cases.ts';
import { userScenario } from './scenarios.ts';

const ledger = await openSmallLedger();

describe.each([
  ['a new user', 'Grace@example.com'],
  ['a user that is there', ledger.user.email],
])('%s', async (_, email) => {
  const scenario = userScenario(ledger, email);
  test.each(await casesOf(scenario))('$title', (it) => runCase(scenario, it));
});
