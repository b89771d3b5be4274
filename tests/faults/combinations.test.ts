// Several faults in one request, drawn by a seed over several attempts; and a lost reply after
// which the SDK's next attempt meets contention. Repeat a case by its title: vitest run … -t 'seed
// 3 '. Run more seeds: FAULT_SEEDS=200 vitest run tests/faults/combinations.test.ts

import { describe, test } from 'vitest';
import { openRandom, type Random } from '../support/builders/random.ts';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { faultsOf } from '../support/dynamodb/table-faults.ts';
import {
  type CallMade,
  callsOf,
  type FaultCase,
  type Injection,
  runCase,
  type Scenario,
} from '../support/harnesses/fault-cases.ts';
import { openSlice } from '../support/slices.ts';
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
const seeds = Array.from({ length: Number(process.env.FAULT_SEEDS ?? 5) }, (_, seed) => seed + 1);

/** Later attempts make other calls than the first. Each fault must fit its call. */
const chooseInjection = (random: Random, made: readonly CallMade[]): Injection => {
  const call = random.below(made.length);
  const { operation = '', actions = 0 } = made[call] ?? {};
  return {
    call,
    fault: random.pick(faultsOf(operation)),
    attempts: 1 + random.below(3),
    action: random.below(Math.max(actions, 1)),
  };
};

const chosenBy = (seed: number, made: readonly CallMade[]): FaultCase => {
  const random = openRandom(seed);
  const tries = Array.from({ length: 4 }, () =>
    Array.from({ length: 1 + random.below(2) }, () => chooseInjection(random, made)),
  );
  const told = tries.map((injections) =>
    injections
      .map(({ call, fault, attempts }) => `${fault} ×${attempts} at call ${call}`)
      .join(' + '),
  );
  return { title: `seed ${seed} (${told.join(', then ')})`, tries };
};

/** The store must not write a second time. */
const lostReplies = (made: readonly CallMade[]): FaultCase[] => {
  const call = made.findIndex(({ operation }) => operation === 'TransactWriteItems');
  if (call === -1) throw new Error('nothing is written in a transaction');
  const pairs = [
    ['hang-up after', 'action in conflict'],
    ['silence after', 'action throttled'],
    ['server error after', 'action in conflict'],
  ] as const;
  // The fault of the first attempt at the write, and of the second.
  return pairs.map((faults) => ({
    title: faults.join(', then '),
    tries: [faults.map((fault, index) => ({ call, fault, attempts: index + 1, action: 0 }))],
  }));
};

const scenarios: Record<string, Scenario> = {
  'an entry with an external_id': entryScenario(ledger, entries['with an external_id']),
  'an entry of 150 lines': entryScenario(ledger, entries['of 150 lines']),
  'an entry without an external_id': entryScenario(ledger, entries['without an external_id']),
  'a user': userScenario(ledger, 'grace@example.com'),
  'a tenant with an Idempotency-Key': tenantScenario(emptyLedger, {
    kind: 'manual',
    idempotencyKey: 'key-1',
  }),
  'a tenant without one': tenantScenario(emptyLedger, { kind: 'manual' }),
  'a connected tenant': tenantScenario(emptyLedger, { kind: 'connected', idempotencyKey: 'k' }),
  'a connected tenant without one': tenantScenario(emptyLedger, { kind: 'connected' }),
  'a callback': callbackScenario(emptyLedger, { isConnected: false }),
  'a scheduled run': postingScenario(ledger),
};

const draw = openSlice();

describe.each(draw(Object.entries(scenarios), 2))('%s', async (title, scenario) => {
  const made = await callsOf(scenario);
  const lost = title === 'a scheduled run' ? [] : lostReplies(made);
  const cases = [...seeds.map((seed) => chosenBy(seed, made)), ...lost];
  test.each(draw(cases, 4))('$title', (it) => runCase(scenario, it));
});
