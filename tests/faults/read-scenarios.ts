// Reads with faults in the calls to the table: the reply is that without faults, or the request
// fails.

import { expect } from 'vitest';
import type { SmallLedger } from '../support/builders/small-ledger.ts';
import { apiEvent, lambdaContext } from '../support/events/lambda-events.ts';
import { outcomeOf, type Scenario } from '../support/harnesses/fault-cases.ts';
import type { Instance } from '../support/harnesses/instances.ts';
import { entries } from './scenarios.ts';

const posted = [
  entries['of 150 lines'],
  entries.scheduled,
  { ...entries['without an external_id'], accrual_date: '2026-03-22' },
];

const domain_url = 'acme-k7m2xq';
const inAcme = (query: object = {}) => ({ method: 'GET', query: { domain_url, ...query } });
const inPeriod = (query: object = {}) => inAcme({ from: '2026-03-01', to: '2026-03-31', ...query });

const requests = {
  getEntry: () => inAcme({ external_id: 'long' }),
  listEntries: () => inAcme({ order: 'asc' }),
  listAccounts: () => inAcme(),
  getTrialBalance: () => inPeriod({ account: '1010' }),
  getAccountLedger: () => inPeriod({ account: '1010' }),
  getBalanceSheet: () => inAcme({ as_of: '2026-03-31' }),
  getProfitAndLoss: () => inPeriod(),
  getCashFlow: () => inPeriod(),
  getProfile: ({ user }) => ({ body: { email: user.email } }),
} satisfies Partial<Record<keyof Instance, (ledger: SmallLedger) => object>>;

export const readScenario = (
  ledger: SmallLedger,
  read: keyof typeof requests,
  query: object = {},
): Scenario => {
  const { applicationId } = ledger;
  const request: Parameters<typeof apiEvent>[0] = requests[read](ledger);
  const withQuery = request.query ? { ...request, query: { ...request.query, ...query } } : request;
  const send = async (instance: Instance) =>
    outcomeOf(await instance[read](apiEvent({ applicationId, ...withQuery }), lambdaContext()));
  let expected: unknown;
  return {
    ledger,
    isIdempotent: true,
    prepare: async (clean) => {
      for (const body of posted) {
        const event = apiEvent({ applicationId, body });
        expect(outcomeOf(await clean.createEntry(event, lambdaContext())).done).toBe(true);
      }
      const { done, value } = await send(clean);
      expect(done).toBe(true);
      expected = value;
    },
    send: ({ faulty }) => send(faulty),
    check: ({ outcomes }) => expect(outcomes.at(-1)?.value).toEqual(expected),
  };
};
