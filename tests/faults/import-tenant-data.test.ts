// Everything that can befall an import's calls to the table: the chart and each journal are there
// once and as the platform has them, and the connection goes on working.

import { test } from 'vitest';
import { casesOf, runCase } from '../support/fault-cases.ts';
import { openSmallLedger } from '../support/small-ledger.ts';
import { importScenario, wholeRun } from './import-scenario.ts';

const scenario = importScenario(await openSmallLedger({ withTenant: false }), wholeRun);

test.each(await casesOf(scenario))('$title', (it) => runCase(scenario, it));
