// A long run of an import that crashes at any of its calls to the table: the chart and each journal
// are there once and as the platform has them.

import { expect, test } from 'vitest';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, runCase } from '../support/harnesses/fault-cases.ts';
import { importScenario, longRun } from './import-scenario.ts';

const scenario = importScenario(await openSmallLedger({ withTenant: false }), longRun);

/** What a crash leaves behind after a call is what it leaves before the next. */
const crashes = (await casesOf(scenario)).filter(({ title }) => title.startsWith('crash before'));

test('makes many calls', () => expect(crashes.length).toBeGreaterThan(35));

test.each(crashes)('$title', (it) => runCase(scenario, it));
