// The injected faults, and what is looked at after them, find stores that are wrong on purpose
// about imports, tokens and rates. Those about everything else are in saboteurs.test.ts.

import { expect, test } from 'vitest';
import type { Table, UpdateAction } from '#shared/store/table.ts';
import { importSaboteurs } from '../simulation/import-saboteurs.ts';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { casesOf, countPassing, type Scenario } from '../support/harnesses/fault-cases.ts';
import { saboteurs } from '../support/harnesses/saboteurs.ts';
import { importScenario, wholeRun } from './import-scenario.ts';
import { openBank, ratesScenario, renewalScenario, resumptionScenario } from './scheduled-runs.ts';

const ledger = await openSmallLedger({ withTenant: false });
const sourceUrl = await openBank();

const anImport = () => importScenario(ledger, wholeRun);
const renewal = () => renewalScenario(ledger);
const resumption = () => resumptionScenario(ledger);
const rates = () => ratesScenario(ledger, { sourceUrl });

/** Changes the updates that this is said in, or takes them for done where none is left. */
const changeUpdates =
  (said: string, change: (action: UpdateAction) => UpdateAction | undefined) =>
  (table: Table): Table => ({
    ...table,
    update: async (action) => {
      const changed = action.expression.includes(said) ? change(action) : action;
      return changed === undefined || table.update(changed);
    },
  });

const never = () => undefined;
const hourLater = (moment: unknown): string =>
  new Date(Date.parse(String(moment)) + 60 * 60_000).toISOString();

/** Leases a refresh for longer than it takes, and never gives the lease back. */
const hoardLeases = (table: Table): Table => {
  const longer = changeUpdates('SET refreshLeaseUntil', (action) => ({
    ...action,
    values: { ...action.values, ':until': hourLater(action.values?.[':until']) },
  }));
  const forever = changeUpdates(' REMOVE refreshLeaseUntil', (action) => ({
    ...action,
    expression: action.expression.replace(' REMOVE refreshLeaseUntil', ''),
  }));
  return forever(longer(table));
};

/** Changes an import, its connection or what is due whatever became of it meanwhile. */
const changeBlindly = changeUpdates('', (action) => ({
  ...action,
  condition: `(${action.condition}) OR attribute_exists(pk)`,
}));

type Victim = { victim: Scenario; sabotage: (table: Table) => Table; cases?: RegExp };

/** Each with its victim, and where it is enough to try these cases, what their titles have. */
const victims: Record<string, Victim> = {
  'forgets imported journals': {
    victim: anImport(),
    sabotage: importSaboteurs['forgets that a journal was imported'],
  },
  'claims to have recorded journals': {
    victim: anImport(),
    sabotage: importSaboteurs['takes journals for recorded that are not'],
  },
  'writes journals one by one': {
    victim: anImport(),
    sabotage: saboteurs['writes one by one'],
    cases: /crash after .* TransactWriteItems/,
  },
  'records journals blindly': {
    victim: anImport(),
    sabotage: saboteurs['writes without conditions'],
    cases: /arrives late 3 times .* TransactWriteItems/,
  },
  'moves imports on blindly': {
    victim: anImport(),
    sabotage: changeBlindly,
    cases: /arrives late/,
  },
  'takes failed writes of an import for done ones': {
    victim: anImport(),
    sabotage: saboteurs['takes a failed write for a done one'],
    cases: /throttled 3 times .* TransactWriteItems/,
  },
  'keeps tokens that are used up': {
    victim: anImport(),
    sabotage: changeUpdates('sealedTokens', never),
  },
  'renews tokens and keeps the old ones': {
    victim: renewal(),
    sabotage: changeUpdates('sealedTokens', never),
  },
  'hoards leases': { victim: renewal(), sabotage: hoardLeases },
  'renews blindly': { victim: renewal(), sabotage: changeBlindly, cases: /arrives late/ },
  'disconnects by halves': {
    victim: renewal(),
    sabotage: saboteurs['writes one by one'],
    cases: /TransactWriteItems/,
  },
  'lets imports that died lie': {
    victim: resumption(),
    sabotage: importSaboteurs['lets imports that died lie'],
  },
  'resumes blindly': { victim: resumption(), sabotage: changeBlindly, cases: /arrives late/ },
  'loses days of rates': {
    victim: rates(),
    sabotage: saboteurs['takes a failed write for a done one'],
    cases: /TransactWriteItems/,
  },
};

test.each(Object.entries(victims))('a store that %s', async (_, given) => {
  const { victim, sabotage, cases: wanted = /./ } = given;
  const broken = { ...victim, sabotage };
  const cases = (await casesOf(broken)).filter(({ title }) => wanted.test(title));
  expect(await countPassing(broken, cases)).toBeLessThan(cases.length);
});
