// Everything that can befall a callback's calls to the table: the company has one tenant, whole,
// or none; and a user who starts again gets there.

import { describe, test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, runCase } from '../support/harnesses/fault-cases.ts';
import { callbackScenario } from './scenarios.ts';

const ledger = await openSmallLedger({ withTenant: false });

describe.each([
  ['a new company', { isConnected: false }],
  ['a company that is connected', { isConnected: true }],
])('%s', async (_, options) => {
  const scenario = callbackScenario(ledger, options);
  test.each(await casesOf(scenario))('$title', (it) => runCase(scenario, it));
});
