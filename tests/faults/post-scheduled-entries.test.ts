// Everything that can befall a scheduled run's calls to the table: what is due is posted once.

import { test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, runCase } from '../support/harnesses/fault-cases.ts';
import { postingScenario } from './scenarios.ts';

const scenario = postingScenario(await openSmallLedger());

test.each(await casesOf(scenario))('$title', (it) => runCase(scenario, it));
