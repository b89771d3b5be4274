// Everything that can befall the calls of a run that adds exchange rates: every day that the bank
// has published is stored once, as it stands in the file, with no day missing.

import { test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, runCase } from '../support/harnesses/fault-cases.ts';
import { openBank, ratesScenario } from './scheduled-runs.ts';

const ledger = await openSmallLedger({ withTenant: false });
const scenario = ratesScenario(ledger, { sourceUrl: await openBank() });

test.each(await casesOf(scenario))('$title', (it) => runCase(scenario, it));
