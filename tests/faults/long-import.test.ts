// Long runs of an import that crash at any of their calls to the table: a first one, and one of
// what has changed since. The chart and each journal are there once and as the platform has them.

import { describe, expect, test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, runCase } from '../support/harnesses/fault-cases.ts';
import { openSlice } from '../support/slices.ts';
import { importScenario, longRun, runOfChanges } from './import-scenario.ts';

const draw = openSlice();
const ledger = await openSmallLedger({ withTenant: false });

/** What a crash leaves behind after a call is what it leaves before the next. */
const crash = /^crash before/;
/** Each is tried in short runs; here, whether what was asked for once is asked for twice. */
const lostReply = /^hang-up after \d/;

describe.each([
  ['of everything', longRun, [crash], 35],
  ['of what has changed', runOfChanges, [crash, lostReply], 30],
] as const)('%s', async (_, story, wanted, least) => {
  const scenario = importScenario(ledger, story);
  const cases = (await casesOf(scenario)).filter(({ title }) =>
    wanted.some((it) => it.test(title)),
  );

  test('makes many calls', () => expect(cases.length).toBeGreaterThan(least));

  test.each(draw(cases, 3))('$title', (it) => runCase(scenario, it));
});
