// Everything that can befall an import's calls to the table: the chart and each journal are there
// once and as the platform has them, and the connection goes on working.

import { expect, test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, runCase } from '../support/harnesses/fault-cases.ts';
import { importScenario, longRun, wholeRun } from './import-scenario.ts';

const ledger = await openSmallLedger({ withTenant: false });
const scenario = importScenario(ledger, wholeRun);

test.each(await casesOf(scenario))('$title', (it) => runCase(scenario, it));

/** What a death leaves behind after a call is what it leaves before the next. */
const long = importScenario(ledger, longRun);
const deaths = (await casesOf(long)).filter(({ title }) => title.startsWith('crash before'));

test('a long run makes many calls', () => expect(deaths.length).toBeGreaterThan(35));

test.each(deaths)('in a long run: $title', (it) => runCase(long, it));
