// Everything that can befall the calls with which an import's run ends before the import does: it
// goes on later, and comes to its end as if nothing had been.

import { describe, test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, runCase } from '../support/harnesses/fault-cases.ts';
import { importScenario, shortRuns } from './import-scenario.ts';

const ledger = await openSmallLedger({ withTenant: false });

describe.each(shortRuns)('an import $title', async (story) => {
  const scenario = importScenario(ledger, story);
  test.each(await casesOf(scenario, story))('$title', (it) => runCase(scenario, it));
});
