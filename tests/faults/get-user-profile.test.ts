// Everything that can befall a profile's calls to the table: what it says is whole, or it says so.

import { expect, test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { apiEvent, lambdaContext } from '../support/events/lambda-events.ts';
import { casesOf, outcomeOf, runCase, type Scenario } from '../support/harnesses/fault-cases.ts';

const ledger = await openSmallLedger();
const event = apiEvent({
  applicationId: ledger.applicationId,
  body: { email: ledger.user.email },
});

const scenario: Scenario = {
  ledger,
  isIdempotent: true,
  send: async ({ faulty }) => outcomeOf(await faulty.getProfile(event, lambdaContext())),
  check: ({ outcomes }) => {
    expect(outcomes.at(-1)?.value).toMatchObject({
      user_id: ledger.user.userId,
      tenant_count: 1,
      tenants: [{ tenant_domain_url: 'acme', status: 'active' }],
    });
  },
};

test.each(await casesOf(scenario))('$title', (it) => runCase(scenario, it));
