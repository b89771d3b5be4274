// A write that was carried out and whose reply was lost, so that the SDK tries it again, meets
// contention. What the store then does must not carry it out a second time.

import { describe, expect, test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import type { Fault } from '../support/dynamodb/table-faults.ts';
import {
  callsOf,
  type Injection,
  runCase,
  type Scenario,
} from '../support/harnesses/fault-cases.ts';
import {
  callbackScenario,
  entries,
  entryScenario,
  tenantScenario,
  userScenario,
} from './scenarios.ts';

const ledger = await openSmallLedger();
const emptyLedger = await openSmallLedger({ withTenant: false });

const scenarios: Record<string, Scenario> = {
  'an entry with an external_id': entryScenario(ledger, entries['with an external_id']),
  'an entry without one': entryScenario(ledger, entries['without an external_id']),
  'an entry of 150 lines': entryScenario(ledger, entries['of 150 lines']),
  'a user': userScenario(ledger, 'grace@example.com'),
  'a tenant with an Idempotency-Key': tenantScenario(emptyLedger, {
    kind: 'manual',
    idempotencyKey: 'key-1',
  }),
  'a tenant without one': tenantScenario(emptyLedger, { kind: 'manual' }),
  'a connected tenant': tenantScenario(emptyLedger, { kind: 'connected' }),
  'a callback': callbackScenario(emptyLedger, { isConnected: false }),
};

describe.each(Object.entries(scenarios))('%s', async (_, scenario) => {
  const made = await callsOf(scenario);
  const call = made.findIndex(({ operation }) => operation === 'TransactWriteItems');
  /** What meets the first attempt at the write, and what the second. */
  const met = (...faults: [Fault, Fault]): Injection[] =>
    faults.map((fault, index) => ({ call, fault, attempts: index + 1, action: 0 }));

  test.each([
    ['hang-up after', 'action in conflict'],
    ['silence after', 'action throttled'],
    ['server error after', 'action in conflict'],
  ] as const)('%s, then %s', async (lost, contention) => {
    expect(call).toBeGreaterThanOrEqual(0);
    await runCase(scenario, { title: '', tries: [met(lost, contention)] });
  });
});
