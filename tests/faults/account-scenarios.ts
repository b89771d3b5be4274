// Accounts are created and changed, with faults in the calls to the table.

import { expect } from 'vitest';
import { type SmallLedger, smallChart } from '../support/builders/small-ledger.ts';
import { apiEvent, lambdaContext } from '../support/events/lambda-events.ts';
import { outcomeOf, type Scenario } from '../support/harnesses/fault-cases.ts';

const inAcme = { domain_url: 'acme-k7m2xq' };

/** The account is made once, and a caller that lost the reply finds it. */
export const accountScenario = (ledger: SmallLedger): Scenario => {
  const account = { code: '1015', name: 'Dollars', type: 'asset', cash_flow: 'cash' };
  const { applicationId } = ledger;
  const event = apiEvent({ applicationId, body: { ...inAcme, ...account } });
  return {
    ledger,
    isIdempotent: true,
    send: async ({ faulty }) => outcomeOf(await faulty.createAccount(event, lambdaContext())),
    countMade: (items) => items.filter(({ sk }) => sk === 'ACCOUNT#1015').length,
    check: ({ outcomes }) => expect(outcomes.at(-1)?.value).toMatchObject(account),
  };
};

/** The account has the change. Its other fields are unchanged. */
export const accountChangeScenario = (ledger: SmallLedger): Scenario => {
  const change = { code: '1010', name: 'Renamed' };
  const { applicationId } = ledger;
  const event = apiEvent({ applicationId, body: { ...inAcme, ...change } });
  const [before] = smallChart;
  return {
    ledger,
    isIdempotent: true,
    send: async ({ faulty }) => outcomeOf(await faulty.updateAccount(event, lambdaContext())),
    check: ({ items, outcomes }) => {
      expect(outcomes.at(-1)?.value).toMatchObject(change);
      const {
        pk: _,
        sk: __,
        kind: ___,
        ...account
      } = items.find(({ sk }) => sk === 'ACCOUNT#1010') ?? {};
      expect(account).toEqual({ ...before, ...change });
    },
  };
};
