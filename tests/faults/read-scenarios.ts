// Reads with faults in the calls to the table: the reply is that without faults, or the request
// fails.

import { expect } from 'vitest';
import type { SmallLedger } from '../support/builders/small-ledger.ts';
import type { apiEvent } from '../support/events/lambda-events.ts';
import { outcomeOf, type Scenario } from '../support/harnesses/fault-cases.ts';
import type { Instance } from '../support/harnesses/instances.ts';
import { leaveOut } from './connected-companies.ts';
import { openRequest, requestScenario } from './request-scenarios.ts';
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
  exportBooks: () => inAcme(),
  listChanges: () => inAcme(),
  getRate: () => ({ method: 'GET', query: { date: '2026-03-23', from: 'USD', to: 'EUR' } }),
  getRevaluation: () => inAcme({ as_of: '2026-03-24' }),
  getTrialBalance: () => inPeriod({ account: '1010' }),
  getAccountLedger: () => inPeriod({ account: '1010' }),
  getBalanceSheet: () => inAcme({ as_of: '2026-03-31' }),
  getProfitAndLoss: () => inPeriod(),
  getCashFlow: () => inPeriod(),
  getChangesInEquity: () => inPeriod(),
  getTenant: () => inAcme(),
  getUser: ({ user }) => ({ method: 'GET', query: { user_id: user.userId } }),
  listTenants: () => ({ method: 'GET', query: { limit: '1' } }),
  getProfile: ({ user }) => ({ body: { email: user.email } }),
} satisfies Partial<Record<keyof Instance, (ledger: SmallLedger) => object>>;

export const readScenario = (
  ledger: SmallLedger,
  verb: keyof typeof requests,
  query: object = {},
): Scenario => {
  const whole: Parameters<typeof apiEvent>[0] = requests[verb](ledger);
  const request = () => (whole.query ? { ...whole, query: { ...whole.query, ...query } } : whole);
  let expected: unknown;
  return requestScenario(ledger, {
    verb,
    request,
    // A process that dies while it reads leaves the table as it was.
    leaveOut: [...leaveOut, 'crash before'],
    prepare: async (clean) => {
      for (const body of posted) {
        const post = openRequest(ledger, { verb: 'createEntry', request: () => ({ body }) });
        expect(outcomeOf(await post(clean)).done).toBe(true);
      }
      const { done, value } = outcomeOf(await openRequest(ledger, { verb, request })(clean));
      expect(done).toBe(true);
      expected = value;
    },
    check: ({ outcomes }) => expect(outcomes.at(-1)?.value).toEqual(expected),
  });
};
