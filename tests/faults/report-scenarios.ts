// Reports, where the calls to the table meet faults: they are as they are without, or say so.

import { expect } from 'vitest';
import type { SmallLedger } from '../support/builders/small-ledger.ts';
import { apiEvent, lambdaContext, readResult } from '../support/events/lambda-events.ts';
import { outcomeOf, type Scenario } from '../support/harnesses/fault-cases.ts';
import type { Instance } from '../support/harnesses/instances.ts';
import { entries } from './scenarios.ts';

const query = { domain_url: 'acme-k7m2xq', account: '1010', from: '2026-03-01', to: '2026-03-31' };
const posted = [
  entries['of 150 lines'],
  { ...entries['without an external_id'], accrual_date: '2026-03-22' },
];

const reportScenario = (
  ledger: SmallLedger,
  report: 'getTrialBalance' | 'getAccountLedger',
): Scenario => {
  const { applicationId } = ledger;
  const event = apiEvent({ applicationId, method: 'GET', query });
  const send = async (instance: Instance) => instance[report](event, lambdaContext());
  let expected: unknown;
  return {
    ...{ ledger, isIdempotent: true },
    prepare: async (clean) => {
      for (const body of posted) {
        await clean.createEntry(apiEvent({ applicationId, body }), lambdaContext());
      }
      expected = readResult(await send(clean)).body.data;
    },
    send: async ({ faulty }) => outcomeOf(await send(faulty)),
    check: ({ outcomes }) => expect(outcomes.at(-1)?.value).toEqual(expected),
  };
};

export const trialBalanceScenario = (ledger: SmallLedger): Scenario =>
  reportScenario(ledger, 'getTrialBalance');

export const accountLedgerScenario = (ledger: SmallLedger): Scenario =>
  reportScenario(ledger, 'getAccountLedger');
