// Everything that can befall the authorizer's call to the table: a good key is never refused for
// it, and a bad one is never let in.

import { describe, test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { authorizerEvent, lambdaContext } from '../support/events/lambda-events.ts';
import { casesOf, type Outcome, runCase, type Scenario } from '../support/harnesses/fault-cases.ts';
import type { Instance } from '../support/harnesses/instances.ts';

const ledger = await openSmallLedger();
const wrongKey = ledger.apiKey.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));

/** The gateway answers 401 to this very word, and 500, which may be tried again, to any other. */
const decide = async (instance: Instance, apiKey: string): Promise<'Allow' | 'Deny' | 'none'> => {
  try {
    const { policyDocument } = await instance.authorize(authorizerEvent(apiKey), lambdaContext());
    return JSON.stringify(policyDocument).includes('"Allow"') ? 'Allow' : 'Deny';
  } catch (error) {
    return error instanceof Error && error.message === 'Unauthorized' ? 'Deny' : 'none';
  }
};

describe.each([
  ['a good key', ledger.apiKey, 'Allow'],
  ['a wrong key', wrongKey, 'Deny'],
])('%s', async (_, apiKey, expected) => {
  const scenario: Scenario = {
    ledger,
    isIdempotent: true,
    send: async ({ faulty }): Promise<Outcome> => {
      const value = await decide(faulty, apiKey);
      return { done: value === expected, again: value === 'none', value };
    },
  };
  test.each(await casesOf(scenario))('$title', (it) => runCase(scenario, it));
});
