// Everything that can befall the calls of a run that resumes imports: all that waited is asked for
// again, once, and what is not due is left alone.

import { test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, runCase } from '../support/harnesses/fault-cases.ts';
import { resumptionScenario } from './scheduled-runs.ts';

const scenario = resumptionScenario(await openSmallLedger({ withTenant: false }));

test.each(await casesOf(scenario))('$title', (it) => runCase(scenario, it));
