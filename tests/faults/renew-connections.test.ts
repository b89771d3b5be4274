// Everything that can befall a renewal's calls to the table: what is kept of each company's tokens
// is what its platform gave last, and works; who has lost its grant is disconnected, and only that.

import { test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, runCase } from '../support/harnesses/fault-cases.ts';
import { renewalScenario } from './scheduled-runs.ts';

const scenario = renewalScenario(await openSmallLedger({ withTenant: false }));

test.each(await casesOf(scenario))('$title', (it) => runCase(scenario, it));
