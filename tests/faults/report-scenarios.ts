// Reports, with faults in the calls to the table: the report is unchanged, or the request fails.

import { expect } from 'vitest';
import type { SmallLedger } from '../support/builders/small-ledger.ts';
import { apiEvent, lambdaContext, readResult } from '../support/events/lambda-events.ts';
import { outcomeOf, type Scenario } from '../support/harnesses/fault-cases.ts';
import type { Instance } from '../support/harnesses/instances.ts';
import { entries } from './scenarios.ts';

const domain_url = 'acme-k7m2xq';
const period = { domain_url, from: '2026-03-01', to: '2026-03-31' };
const queries = {
  getTrialBalance: { ...period, account: '1010' },
  getAccountLedger: { ...period, account: '1010' },
  getBalanceSheet: { domain_url, as_of: '2026-03-31' },
  getProfitAndLoss: period,
  getCashFlow: period,
} satisfies Partial<Record<keyof Instance, object>>;
const posted = [
  entries['of 150 lines'],
  { ...entries['without an external_id'], accrual_date: '2026-03-22' },
];

export const reportScenario = (ledger: SmallLedger, report: keyof typeof queries): Scenario => {
  const { applicationId } = ledger;
  const event = apiEvent({ applicationId, method: 'GET', query: queries[report] });
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
