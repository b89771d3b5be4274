// Everything that can befall the calls of a run that resumes imports: all that waited is asked for
// again, once, and what is not due is left alone.

import { test } from 'vitest';
import { casesOf, runCase } from '../support/fault-cases.ts';
import { openSmallLedger } from '../support/small-ledger.ts';
import { resumptionScenario } from './scheduled-runs.ts';

const scenario = resumptionScenario(await openSmallLedger({ withTenant: false }));

test.each(await casesOf(scenario))('$title', (it) => runCase(scenario, it));
