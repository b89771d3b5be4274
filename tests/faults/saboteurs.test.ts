// The injected faults, and what is looked at after them, find stores that are wrong on purpose.

import { expect, test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, countPassing, type Scenario } from '../support/harnesses/fault-cases.ts';
import { type Saboteur, saboteurs } from '../support/harnesses/saboteurs.ts';
import {
  callbackScenario,
  entries,
  entryScenario,
  postingScenario,
  tenantScenario,
  userScenario,
} from './scenarios.ts';

const ledger = await openSmallLedger();
const emptyLedger = await openSmallLedger({ withTenant: false });

const entry = entryScenario(ledger, entries['with an external_id']);
const tenant = tenantScenario(emptyLedger, { kind: 'connected', idempotencyKey: 'key-1' });

/** One that posts again is found by runs at the same time only, which the simulation has. */
const victims: Record<Exclude<Saboteur, 'posts again what is posted'>, Scenario> = {
  'forgets the guard of an external_id': entry,
  'loses a number of the sequence': entry,
  'skips the balance rule': entry,
  'forgets lines after the first hundred': entryScenario(ledger, entries['of 150 lines']),
  'writes without conditions': entry,
  'writes one by one': entry,
  'forgets when an entry is due': entryScenario(ledger, entries.scheduled),
  'forgets to link a tenant': tenant,
  'forgets the domain of a tenant': tenant,
  'forgets the pointer of a user id': userScenario(ledger, 'grace@example.com'),
  'forgets the Idempotency-Key': tenant,
  'forgets the company of a connection': callbackScenario(emptyLedger, { isConnected: false }),
  'takes a failed write for a done one': entry,
  'posts what is not due': postingScenario(ledger),
  'leaves what it posted in the due index': postingScenario(ledger),
};

test.each(Object.entries(victims))('a store that %s', async (name, victim) => {
  const scenario = { ...victim, sabotage: saboteurs[name as Saboteur] };
  const { length } = await casesOf(victim);
  expect(await countPassing(scenario, await casesOf(scenario))).toBeLessThan(length);
});
