// Everything that can befall a tenant's creation: it is there whole, once, or not at all.

import { describe, test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, runCase } from '../support/harnesses/fault-cases.ts';
import { tenantScenario } from './scenarios.ts';

const ledger = await openSmallLedger({ withTenant: false });

describe.each([
  ['by hand, with an Idempotency-Key', { kind: 'manual', idempotencyKey: 'key-1' }],
  ['by hand, without one', { kind: 'manual' }],
  ['connected, with an Idempotency-Key', { kind: 'connected', idempotencyKey: 'key-1' }],
  ['connected, without one', { kind: 'connected' }],
] as const)('a tenant %s', async (_, options) => {
  const scenario = tenantScenario(ledger, options);
  test.each(await casesOf(scenario))('$title', (it) => runCase(scenario, it));
});
