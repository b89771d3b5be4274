// Everything that can befall an import's calls to the table: the chart and each journal are there
// once and as the platform has them, and the connection goes on working.

import { test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, runCase } from '../support/harnesses/fault-cases.ts';
import { importScenario, wholeRun } from './import-scenario.ts';

const scenario = importScenario(await openSmallLedger({ withTenant: false }), wholeRun);

test.each(await casesOf(scenario))('$title', (it) => runCase(scenario, it));
