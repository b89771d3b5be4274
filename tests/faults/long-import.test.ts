// Long runs of an import that crash at any of their calls to the table: a first import and an
// import of changes. Each account and journal is recorded once and unchanged.

import { describe, expect, test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, runCase } from '../support/harnesses/fault-cases.ts';
import { openSlice } from '../support/slices.ts';
import { importScenario, longRun, runOfChanges, runOfRemovals } from './import-scenario.ts';

const draw = openSlice();
const ledger = await openSmallLedger({ withTenant: false });

/** A crash after a call leaves the same table as a crash before the next call. */
const crash = /^crash before/;
/** Short runs cover each lost reply. Here it shows whether a long run repeats a request. */
const lostReply = /^hang-up after \d/;

describe.each([
  ['of everything', longRun, [crash], 35],
  ['of what has changed', runOfChanges, [crash, lostReply], 30],
  ['of a list that lacks journals', runOfRemovals, [crash, lostReply], 30],
] as const)('%s', async (_, story, wanted, least) => {
  const scenario = importScenario(ledger, story);
  const cases = (await casesOf(scenario)).filter(({ title }) =>
    wanted.some((it) => it.test(title)),
  );

  test('makes many calls', () => expect(cases.length).toBeGreaterThan(least));

  test.each(draw(cases, 3))('$title', (it) => runCase(scenario, it));
});
