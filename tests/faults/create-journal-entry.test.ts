// Everything that can befall an entry's calls to the table: it is there once and whole, or not.

import { describe, test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, runCase } from '../support/harnesses/fault-cases.ts';
import { entries, entryScenario } from './scenarios.ts';

const ledger = await openSmallLedger();

describe.each(Object.entries(entries))('an entry %s', async (_, body) => {
  const scenario = entryScenario(ledger, body);
  test.each(await casesOf(scenario))('$title', (it) => runCase(scenario, it));
});
