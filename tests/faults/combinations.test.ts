// Several faults at once, in one try after the other, chosen by a seed. The title of a case names
// its seed, which is enough to have the same faults again: vitest run … -t 'seed 3 '. More seeds
// than are tried every time: FAULT_SEEDS=200 vitest run tests/faults/combinations.test.ts

import { describe, test } from 'vitest';
import { openRandom, type Random } from '../support/builders/random.ts';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { faultsOf } from '../support/dynamodb/table-faults.ts';
import {
  type CallMade,
  callsOf,
  type Injection,
  runCase,
  type Scenario,
} from '../support/harnesses/fault-cases.ts';
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

/** Later tries make other calls than the first: a fault is kept to those that it can meet. */
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

const chooseTries = (seed: number, made: readonly CallMade[]): Injection[][] => {
  const random = openRandom(seed);
  return Array.from({ length: 4 }, () =>
    Array.from({ length: 1 + random.below(2) }, () => chooseInjection(random, made)),
  );
};

const told = (tries: Injection[][]): string =>
  tries
    .map((try_) =>
      try_.map(({ call, fault, attempts }) => `${fault} ×${attempts} at call ${call}`).join(' + '),
    )
    .join(', then ');

const scenarios: Record<string, Scenario> = {
  'an entry': entryScenario(ledger, entries['with an external_id']),
  'an entry of 150 lines': entryScenario(ledger, entries['of 150 lines']),
  'an entry without an external_id': entryScenario(ledger, entries['without an external_id']),
  'a user': userScenario(ledger, 'grace@example.com'),
  'a tenant': tenantScenario(emptyLedger, { kind: 'manual', idempotencyKey: 'key-1' }),
  'a connected tenant': tenantScenario(emptyLedger, { kind: 'connected', idempotencyKey: 'k' }),
  'a callback': callbackScenario(emptyLedger, { isConnected: false }),
  'a scheduled run': postingScenario(ledger),
};

describe.each(Object.entries(scenarios))('%s', async (_, scenario) => {
  const made = await callsOf(scenario);
  const cases = seeds.map((seed) => {
    const tries = chooseTries(seed, made);
    return { title: `seed ${seed} (${told(tries)})`, tries };
  });
  test.each(cases)('$title', (it) => runCase(scenario, it));
});
