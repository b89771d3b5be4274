// Everything that can befall the start of an authorization: the URL that is returned works.

import { expect, test } from 'vitest';
import type { Data } from '#functions/initiate-oauth/schema.ts';
import { oauthStateKey } from '#shared/store/keys.ts';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import { casesOf, outcomeOf, runCase, type Scenario } from '../support/harnesses/fault-cases.ts';
import { openFakePlatform } from '../support/servers/fake-platform.ts';
import { startOfAuthorization } from './scenarios.ts';

const ledger = await openSmallLedger();
const event = startOfAuthorization(ledger);

const scenario: Scenario = {
  ledger,
  platforms: openFakePlatform().platforms,
  isIdempotent: true,
  send: async ({ faulty }) => outcomeOf(await faulty.initiate(event, lambdaContext())),
  check: ({ items, outcomes }) => {
    const value = outcomes.at(-1)?.value as Data;
    const state = new URL(value.authorization_url).searchParams.get('state') ?? '';
    const { pk } = oauthStateKey(state);
    expect(items.filter((item) => item.pk === pk)).toHaveLength(1);
    // A try of which nobody heard may leave a state of its own, which ends by itself.
    const pending = items.filter(({ sk }) => sk === 'STATE');
    expect(pending.length).toBeLessThanOrEqual(outcomes.length);
  },
};

test.each(await casesOf(scenario))('$title', (it) => runCase(scenario, it));
